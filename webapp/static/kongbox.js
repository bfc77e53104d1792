"use strict";
document.documentElement.classList.add("js");

function entryId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

function formToken() {
  return document.querySelector('meta[name="csrf-token"]').content;
}

document.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "post") return;
  event.detail.headers["X-Entry"] = entryId();
  event.detail.headers["X-CSRFToken"] = formToken();
});

function showOffline(offline) {
  const note = document.getElementById("offline");
  if (note) note.hidden = !offline;
}
document.addEventListener("htmx:sendError", () => showOffline(true));
document.addEventListener("htmx:afterOnLoad", () => showOffline(false));

// What Kongbox answers instead of a part of the page is told at the top, as on a page of its own.
document.addEventListener("htmx:responseError", (event) => {
  const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
  const told = page.querySelector("[role=alert]");
  const messages = document.getElementById("messages");
  if (!told || !messages) return;
  messages.replaceChildren(told);
  messages.scrollIntoView({ block: "center" });
});

function showSending(shown) {
  const sending = document.getElementById("sending");
  if (sending) sending.hidden = !shown;
}

window.sendPhotos = (form) => {
  showSending(true);
  form.requestSubmit();
};

document.addEventListener("change", async (event) => {
  const input = event.target;
  const form = input.closest("form[data-photo]");
  if (!form || input.type !== "file" || input.files.length === 0) return;
  showSending(true);
  if (window.shrinkPhotos) await window.shrinkPhotos(input);
  if (!window.photosAreFine || (await window.photosAreFine(form, input))) window.sendPhotos(form);
  else showSending(false);
});

window.addEventListener("pageshow", (event) => {
  if (event.persisted) showSending(false);
});

// What had the focus and how far down the screen, so that it or what took its place has it again
// there after a part was exchanged. The browser's own anchor is gone with the part: without one it
// jumps to the end of the page.
let focused = "";
let focusedTop = 0;

function nameOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["name", "href"]) {
    const said = element.getAttribute(name);
    if (said === null) continue;
    const value = element.getAttribute("value");
    const which = value === null ? "" : `[value="${CSS.escape(value)}"]`;
    return `${element.localName}[${name}="${CSS.escape(said)}"]${which}`;
  }
  return "";
}

document.addEventListener("htmx:beforeSwap", () => {
  const element = document.activeElement;
  focused = element && element !== document.body ? nameOf(element) || "main" : "";
  focusedTop = focused ? element.getBoundingClientRect().top : 0;
  document.documentElement.classList.add("exchanging");
});

document.addEventListener("htmx:afterSettle", () => {
  const again = focused && document.querySelector(focused);
  if (focused && document.activeElement === document.body) {
    (again ?? document.getElementById("main")).focus({ preventScroll: true });
  }
  if (again) window.scrollBy(0, again.getBoundingClientRect().top - focusedTop);
  openQuestion()?.scrollIntoView({ block: "nearest" });
  requestAnimationFrame(() => document.documentElement.classList.remove("exchanging"));
});

// The first question after the answer just given that has none yet.
function openQuestion() {
  const answered = document.activeElement?.closest("fieldset");
  const questions = [...(answered?.closest("form[data-asks]")?.querySelectorAll("fieldset") ?? [])];
  return questions.slice(questions.indexOf(answered) + 1).find(
    (it) => it.querySelector("[type=radio]") && !it.querySelector("[type=radio]:checked"),
  );
}

for (const button of document.querySelectorAll("[data-back]")) {
  button.hidden = history.length < 2;
  button.addEventListener("click", () => history.back());
}

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    if (navigator.share) {
      navigator.share({ title: document.title, url: location.href }).catch(() => {});
    } else {
      window.print();
    }
  });
}

// Keys of which the set has no more are greyed as the tiles are tapped in.
document.addEventListener("htmx:afterSettle", () => {
  const told = document.querySelector("[data-spent]");
  if (!told) return;
  const spent = told.dataset.spent.split(" ");
  for (const key of document.querySelectorAll(".keyboard .key")) {
    key.classList.toggle("spent", spent.includes(key.value));
  }
});

const POLL_MS = 5000;

function liveRegion() {
  return document.querySelector("[data-live]");
}

function showLive(token) {
  const region = liveRegion();
  if (!region || region.dataset.token === token) return;
  const target = `#${region.id}`;
  htmx.ajax("GET", location.href, { target, select: target, swap: "outerHTML" }).then(() => {
    const said = document.getElementById("live-said");
    if (said) said.textContent = liveRegion()?.dataset.said ?? "";
  });
}

// A browser keeps six connections to an address, for all its tabs together: a tab that nobody sees
// keeps none of them, and asks for the present state when it is shown again.
function followTable(address) {
  let events = null;
  let later = 0;
  function leave() {
    clearTimeout(later);
    events?.close();
  }
  function follow() {
    leave();
    if (document.hidden) return;
    events = new EventSource(address);
    events.addEventListener("message", (event) => showLive(event.data));
    events.addEventListener("error", () => {
      document.dispatchEvent(new Event("kongbox:unsure"));
      if (events.readyState === EventSource.CLOSED) later = setTimeout(follow, POLL_MS);
    });
  }
  follow();
  document.addEventListener("visibilitychange", follow);
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

window.addEventListener("DOMContentLoaded", () => {
  const region = liveRegion();
  if (region) followTable(region.dataset.live);
});
