"use strict";
// Without a connection a phone shows the search as it kept it, without a question, and looks itself.
const MOST_FOUND = 8;
const STEM = 5;

function wordsIn(text) {
  const runs = text.toLowerCase().match(/[\u3400-\u9fff]+|[\p{L}\d]{3,}/gu) ?? [];
  const pairs = (run) => Array.from(run.slice(1), (sign, at) => run[at] + sign);
  return runs.flatMap((run) => (/[\u3400-\u9fff]/.test(run) ? pairs(run) : run.slice(0, STEM)));
}

function partsOf(page, path) {
  const title = page.querySelector("h1")?.textContent ?? "";
  const parts = [...page.querySelectorAll("[id^=part-]")].map((part) => ({
    title: part.querySelector("h2")?.textContent ?? title,
    told: [...part.querySelectorAll("p:not(.hint), li")].map((one) => one.textContent.trim()).filter(Boolean),
    url: `${path}#${part.id}`,
  }));
  const words = [...page.querySelectorAll(".words dt")].map((word) => ({
    title: word.textContent, told: [word.nextElementSibling.firstChild.textContent], url: `${path}#${word.id}`,
  }));
  return [...parts, ...words].filter((part) => part.told.length);
}

async function partsKept(root) {
  const cache = await caches.open("kongbox-page");
  const parts = [];
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(`${root}/`)) continue;
    const html = await (await cache.match(request)).text();
    parts.push(...partsOf(new DOMParser().parseFromString(html, "text/html"), pathname));
  }
  return parts;
}

function best(parts, asked) {
  const held = parts.map((part) => new Set(wordsIn(`${part.title} ${part.told.join(" ")}`)));
  const worth = new Map([...new Set(wordsIn(asked))].map((word) => {
    const having = held.filter((words) => words.has(word)).length;
    return [word, Math.log((1 + parts.length) / (1 + having))];
  }));
  const fit = (part, words) => {
    const title = new Set(wordsIn(part.title));
    return [...worth].reduce((sum, [word, each]) => sum + each * (words.has(word) + title.has(word)), 0);
  };
  return parts.map((part, at) => ({ ...part, fit: fit(part, held[at]) }))
    .filter((part) => part.fit > 0).sort((one, other) => other.fit - one.fit).slice(0, MOST_FOUND);
}

function shownAs(part) {
  const card = document.createElement("div");
  card.className = "card sheet-told";
  const link = Object.assign(document.createElement("a"), { href: part.url, textContent: part.title });
  const head = document.createElement("h2");
  head.append(link);
  card.append(head, ...part.told.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
  return card;
}

async function lookHere(place, asked) {
  const form = document.querySelector(".ask-course");
  form.elements.q.value = asked;
  const root = new URL(form.action).pathname.replace(/\/search$/, "");
  const found = best(await partsKept(root), asked);
  const status = place.querySelector("[role=status]");
  if (!found.length) status.textContent = status.dataset.nothing;
  place.append(...found.map(shownAs));
  place.hidden = false;
}

const place = document.getElementById("kept-found");
const question = new URLSearchParams(location.search).get("q")?.trim();
if (place && question) lookHere(place, question).catch(() => {});
