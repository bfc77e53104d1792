"use strict";
// VERSION and FILES are set above by the server.
const KEPT = `kongbox-${VERSION}`;
const PAGE = "kongbox-page";
const LATE_MS = 2000;
// Where one server has several clubs, each has its worker and its pages below its own address.
const ROOT = new URL(self.registration.scope).pathname.slice(0, -1);

self.addEventListener("install", (event) => {
  event.waitUntil(
    Promise.all([
      caches.open(KEPT).then((cache) => cache.addAll(FILES)),
      caches.open(PAGE).then((cache) => cache.add(`${ROOT}/offline`)),
    ]).then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => names.filter((name) => name !== KEPT && name !== PAGE))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// A page of the course that was kept is shown as it is, whatever is asked of it; anything else is
// the page for entries.
async function keptPage(request) {
  return (await caches.match(request, { ignoreSearch: true, ignoreVary: true })) ?? caches.match(`${ROOT}/offline`);
}

// A computer that is gone does not refuse: the browser would wait for minutes.
async function shown(request) {
  let answered = false;
  const answer = fetch(request).catch(() => keptPage(request)).finally(() => { answered = true; });
  const late = new Promise((resolve) => setTimeout(resolve, LATE_MS)).then(async () => {
    if (answered) return answer;
    try {
      await fetch(`${ROOT}/healthz`, { cache: "no-store", signal: AbortSignal.timeout(LATE_MS) });
      return answer;
    } catch {
      return keptPage(request);
    }
  });
  return Promise.race([answer, late]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(shown(request));
  } else if (address.pathname.startsWith(`${ROOT}/static/`)) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
