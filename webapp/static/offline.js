"use strict";
// Where one server has several clubs, what waits in the browser belongs to one of them.
const ROOT = document.documentElement.dataset.root ?? "";
const QUEUE = `${ROOT}kongbox-waiting`;
const TABLES = `${ROOT}kongbox-tables`;
const RETRY_MS = 10000;
const MOST_TABLES = 8;

const bar = document.getElementById("waiting");
const panel = document.getElementById("offline-entry");
let unreachable = !navigator.onLine;
let sending = false;

function held(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? [];
  } catch {
    return [];
  }
}

function keep(name, value) {
  localStorage.setItem(name, JSON.stringify(value));
}

function say(key, values = {}) {
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value), bar.dataset[key] ?? "");
}

function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function rememberTable() {
  if (document.body.dataset.enters === "no") localStorage.removeItem(TABLES);
  const shown = document.querySelector("[data-table]");
  if (!shown) return;
  const table = JSON.parse(shown.dataset.table);
  if (table) keep(TABLES, [{ ...table, seen: Date.now() }, ...held(TABLES).filter((t) => t.id !== table.id)].slice(0, MOST_TABLES));
}

function changeEntry(id, change) {
  keep(QUEUE, held(QUEUE).map((e) => (e.entry === id ? { ...e, ...change } : e)));
  show();
}

function dropEntry(id) {
  keep(QUEUE, held(QUEUE).filter((e) => e.entry !== id));
  show();
}

function entryWords(entry) {
  const table = entry.title ?? "";
  const what = { drawn: say("drawn"), totals: say("totals"), tiles: say("tiles") }[entry.kind];
  return `${table} · ${say("hand", { n: entry.number })}: ${what}`;
}

function listItem(entry) {
  const item = element("li");
  item.append(element("strong", entryWords(entry)));
  if (entry.message) item.append(element("p", entry.message, { class: "note bad" }));
  const row = element("p", "", { class: "row" });
  if (entry.state === "conflict") {
    const again = element("button", say(entry.kind === "tiles" ? "mine" : "next"), { type: "button" });
    const change = entry.kind === "tiles" ? { replace: true } : { as_next: true };
    again.addEventListener("click", () => {
      changeEntry(entry.entry, { ...change, state: "waiting", message: "" });
      sendAll();
    });
    row.append(again);
  }
  const away = element("button", say("drop"), { type: "button", class: "danger" });
  away.addEventListener("click", () => dropEntry(entry.entry));
  row.append(away);
  item.append(row);
  return item;
}

function tableCard(table) {
  const card = element("section", "", { class: "card" });
  const when = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "short", hour: "2-digit", minute: "2-digit" });
  card.append(element("h2", table.title), element("p", say("seen", { n: table.number, when: when.format(table.seen) })));
  const points = element("table", "", { class: "standings" });
  for (const [name, total] of Object.entries(table.totals ?? {})) {
    const row = element("tr");
    row.append(element("th", name, { scope: "row" }), element("td", total.toLocaleString(document.documentElement.lang)));
    points.append(row);
  }
  card.append(points);
  return card;
}

function show() {
  const entries = held(QUEUE);
  const waiting = entries.filter((e) => e.state === "waiting").length;
  const stuck = entries.length - waiting;
  const parts = [];
  if (unreachable) parts.push(say("offline"));
  if (waiting) parts.push(say(waiting === 1 ? "one" : "many", { n: waiting }));
  if (stuck) parts.push(say("stuck", { n: stuck }));
  bar.querySelector("span").textContent = parts.join(" ");
  bar.hidden = parts.length === 0;
  bar.querySelector("a").hidden = entries.length === 0 || Boolean(document.querySelector("#offline-list"));
  const list = document.getElementById("offline-list");
  if (list) {
    list.replaceChildren(...entries.map(listItem));
    list.closest("section").hidden = entries.length === 0;
  }
  if (panel) panel.hidden = !(unreachable || panel.dataset.always) || held(TABLES).length === 0;
  const none = document.getElementById("offline-none");
  if (none) none.hidden = held(TABLES).length > 0;
}

function withoutOwn({ title, state, message, ...entry }) {
  return entry;
}

async function send(entry, token) {
  const answer = await fetch(`${ROOT}/offline/entries`, {
    method: "POST",
    redirect: "manual",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(withoutOwn(entry)),
  });
  if (!answer.ok) return false;
  const told = await answer.json();
  if (told.state === "kept") dropEntry(entry.entry);
  else changeEntry(entry.entry, told);
  return true;
}

async function sendAll() {
  const waiting = held(QUEUE).filter((e) => e.state === "waiting");
  if (sending || waiting.length === 0) return;
  sending = true;
  let kept = 0;
  try {
    const answer = await fetch(`${ROOT}/offline/token`, { redirect: "manual", cache: "no-store" });
    setUnreachable(false);
    if (answer.ok) {
      const { token } = await answer.json();
      for (const entry of waiting) kept += await send(entry, token);
    } else {
      bar.querySelector("span").textContent = say("login");
    }
  } catch {
    setUnreachable(true);
  }
  sending = false;
  if (kept && document.querySelector("[data-live]")) location.reload();
}

function setUnreachable(now) {
  if (unreachable === now) return;
  unreachable = now;
  show();
}

async function look() {
  try {
    await fetch(`${ROOT}/healthz`, { cache: "no-store" });
    setUnreachable(false);
    sendAll();
  } catch {
    setUnreachable(true);
  }
}

function options(select, pairs) {
  select.replaceChildren(...pairs.map(([value, text]) => element("option", text, { value })));
}

function fillForm(form) {
  const table = tableOf(form);
  if (!table) return;
  const people = table.players.map((name) => [name, name]);
  form.querySelector(".by-totals .people").replaceChildren(...table.players.map((name, i) => {
    const label = element("label", name);
    label.append(element("input", "", { name: `total_${i}`, inputmode: "numeric", maxlength: "10", autocomplete: "off" }));
    return label;
  }));
  options(form.elements.winner, [...people, ["-", say("nobody")]]);
  options(form.elements.source, table.sources.map(([id, name]) => [id, name]));
  options(form.elements.giver, [["", say("none")], ...people]);
  options(form.elements.player, people);
  form.dataset.tiles = "{}";
  form.elements.codes.value = "";
}

function offerKinds(form) {
  const kinds = tableOf(form)?.kinds;
  if (!kinds) return;
  for (const input of form.elements.kind) input.closest("label").hidden = !kinds.includes(input.value);
  if (!kinds.includes(form.elements.kind.value)) form.elements.kind.value = kinds[0];
}

function showKind(form) {
  offerKinds(form);
  const kind = form.elements.kind.value;
  for (const name of ["totals", "tiles"]) form.querySelector(`.by-${name}`).hidden = kind !== name;
  const counts = kind === "totals" && (tableOf(form)?.draws || form.elements.winner.value !== "-");
  for (const input of form.querySelectorAll(".people input")) input.required = counts;
}

function tableOf(form) {
  return held(TABLES).find((t) => t.id === form.elements.game.value);
}

function isSure(entry, table) {
  return Object.entries(entry.totals ?? {}).every(([name, text]) => {
    const total = Number(text.replace(/[,. ]/g, ""));
    const fits = !(total > (table.most ?? Infinity)) && !(name === entry.winner && total < table.least);
    return fits || confirm(say("really", { n: text, name }));
  });
}

function tilesOf(form) {
  return JSON.parse(form.dataset.tiles ?? "{}");
}

function entryOf(form) {
  const table = tableOf(form);
  const kind = form.elements.kind.value;
  const ahead = held(QUEUE).filter((e) => e.game === table.id && e.kind !== "tiles").length;
  const entry = { entry: entryId(), game: table.id, title: table.title, number: table.number + ahead, kind, state: "waiting" };
  if (kind === "totals") {
    entry.totals = Object.fromEntries(table.players.map((name, i) => [name, form.elements[`total_${i}`].value]));
    entry.winner = form.elements.winner.value;
    entry.source = form.elements.source.value;
    entry.giver = form.elements.giver.value;
  } else if (kind === "tiles") {
    entry.tiles = tilesOf(form);
  }
  return entry;
}

function setUpForm(form) {
  const tables = held(TABLES);
  options(form.elements.game, tables.map((t) => [t.id, t.title]));
  fillForm(form);
  showKind(form);
  form.addEventListener("change", (event) => {
    if (event.target.name === "game") fillForm(form);
    showKind(form);
    if (event.target.name === "player") form.elements.codes.value = tilesOf(form)[event.target.value] ?? "";
  });
  form.addEventListener("input", (event) => {
    if (event.target.name !== "codes") return;
    form.dataset.tiles = JSON.stringify({ ...tilesOf(form), [form.elements.player.value]: event.target.value });
  });
  for (const key of form.querySelectorAll("[data-code]")) {
    key.addEventListener("click", () => {
      form.elements.codes.value = `${form.elements.codes.value} ${key.dataset.code}`.trim();
      form.elements.codes.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const entry = entryOf(form);
    if (!isSure(entry, tableOf(form))) return;
    keep(QUEUE, [...held(QUEUE), entry]);
    form.reset();
    fillForm(form);
    showKind(form);
    show();
    bar.scrollIntoView({ block: "nearest" });
    sendAll();
  });
}

function refreshKeptPage() {
  const { lang, dataset } = document.documentElement;
  const looks = [lang, dataset.print, document.body.dataset.version].join(" ");
  if (!("caches" in window) || localStorage.getItem(`${ROOT}kongbox-looks`) === looks) return;
  caches.open("kongbox-page").then((cache) => cache.add(`${ROOT}/offline`))
    .then(() => localStorage.setItem(`${ROOT}kongbox-looks`, looks)).catch(() => {});
}

rememberTable();
document.getElementById("offline-tables")?.append(...held(TABLES).filter((t) => t.seen).map(tableCard));
if (panel) setUpForm(panel.querySelector("form"));
show();
look();
setInterval(() => (unreachable ? look() : sendAll()), RETRY_MS);
window.addEventListener("offline", () => setUnreachable(true));
window.addEventListener("online", look);
document.addEventListener("htmx:sendError", () => setUnreachable(true));
document.addEventListener("htmx:afterOnLoad", () => setUnreachable(false));
document.addEventListener("kongbox:unsure", look);
document.addEventListener("htmx:afterSwap", rememberTable);
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register(`${ROOT}/worker.js`).then(refreshKeptPage).catch(() => {});
}
