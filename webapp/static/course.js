"use strict";
const DONE = "kongbox-course";

function heldDone() {
  try {
    return JSON.parse(localStorage.getItem(DONE)) ?? {};
  } catch {
    return {};
  }
}

function mark(sheet, task) {
  const done = heldDone();
  done[sheet] = [...new Set([...(done[sheet] ?? []), ...(task ? [task] : [])])];
  try {
    localStorage.setItem(DONE, JSON.stringify(done));
  } catch {
    // A phone that keeps nothing still checks answers.
  }
}

function isRight(form) {
  const right = JSON.parse(form.dataset.right);
  const given = new FormData(form);
  if (Array.isArray(right)) {
    const chosen = given.getAll("answer");
    return chosen.length === right.length && right.every((value) => chosen.includes(value));
  }
  return Object.entries(right).every(([name, number]) => {
    const typed = given.get(name).replace(/[\s,.]/g, "");
    return typed !== "" && Number(typed) === number;
  });
}

function setUpTask(form, sheet) {
  const verdict = form.querySelector("[data-verdict]");
  form.querySelector("[data-check]").hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const right = isRight(form);
    verdict.textContent = right ? `✓ ${verdict.dataset.good}` : verdict.dataset.bad;
    verdict.className = right ? "ok" : "doubt";
    form.closest(".task").classList.toggle("right", right);
    if (!right) return;
    mark(sheet, form.dataset.task);
    form.closest(".task").querySelector("details").open = true;
  });
  form.addEventListener("change", () => { verdict.textContent = ""; });
}

function showProgress(contents) {
  const done = heldDone();
  const links = [...document.querySelectorAll("[data-sheet]")];
  let next = null;
  for (const link of links) {
    const right = done[link.dataset.sheet]?.length ?? 0;
    const asked = Number(link.dataset.asks);
    const begun = link.dataset.sheet in done;
    const whole = begun && right >= asked;
    if (!whole) next ??= link;
    const told = link.querySelector("[data-progress]");
    told.hidden = !begun;
    const words = whole ? contents.dataset[asked ? "done" : "read"] : contents.dataset.part;
    told.textContent = words.replace("{right}", right).replace("{asked}", asked);
  }
  const goOn = document.getElementById("go-on");
  if (next && Object.keys(done).length) {
    for (const chapter of contents.querySelectorAll("details")) chapter.open = chapter.contains(next);
    goOn.href = next.href;
    goOn.textContent = goOn.dataset.on.replace("{sheet}", next.querySelector("strong").textContent);
  }
  const forget = document.getElementById("forget-course");
  forget.hidden = Object.keys(done).length === 0;
  forget.addEventListener("click", () => {
    if (!confirm(forget.dataset.really)) return;
    localStorage.removeItem(DONE);
    location.reload();
  });
}

async function keepForLater() {
  const { lang, dataset } = document.documentElement;
  const looks = [lang, dataset.print, document.querySelector('script[src*="course.js"]').src].join(" ");
  if (!("caches" in window) || localStorage.getItem(`${ROOT}kongbox-course-kept`) === looks) return;
  const cache = await caches.open("kongbox-page");
  const search = new URL(document.querySelector(".ask-course").action).pathname;
  const linked = [...document.querySelectorAll("[data-sheet], [data-kept]")].map((a) => a.pathname);
  for (const page of [location.pathname, search, ...linked]) await cache.add(page);
  localStorage.setItem(`${ROOT}kongbox-course-kept`, looks);
}

const sheet = document.querySelector("[data-this]")?.dataset.this;
if (sheet) {
  mark(sheet);
  for (const form of document.querySelectorAll("[data-task]")) setUpTask(form, sheet);
}
const contents = document.querySelector(".contents");
if (contents) {
  showProgress(contents);
  keepForLater().catch(() => {});
}
for (const button of document.querySelectorAll("[data-print-page]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
