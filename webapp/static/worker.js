"use strict";
// VERSION and FILES are set above by the server.
const KEPT = `kongbox-${VERSION}`;
const PAGE = "kongbox-page";

self.addEventListener("install", (event) => {
  event.waitUntil(
    Promise.all([
      caches.open(KEPT).then((cache) => cache.addAll(FILES)),
      caches.open(PAGE).then((cache) => cache.add("/offline")),
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

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  } else if (address.pathname.startsWith("/static/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
