"use strict";
const LATE_MS = 4000;

async function trusts(address) {
  try {
    await fetch(`${address}healthz`, { mode: "no-cors", cache: "no-store", signal: AbortSignal.timeout(LATE_MS) });
    return true;
  } catch {
    return false;
  }
}

// A page that was opened past a warning is encrypted, too, but keeps no worker.
async function keepsWorker() {
  if (!("serviceWorker" in navigator)) return true;
  try {
    await (await navigator.serviceWorker.register(note.dataset.worker)).update();
    return true;
  } catch {
    return false;
  }
}

async function tell(note) {
  const words = note.querySelector("span");
  words.textContent = note.dataset.wait;
  const yes = await (location.protocol === "https:" ? keepsWorker() : trusts(note.dataset.address));
  words.textContent = yes ? note.dataset.yes : note.dataset.no;
  note.classList.toggle("good", yes);
  document.getElementById("by-https").hidden = !yes;
}

const note = document.getElementById("trusts");
if (note) {
  const look = () => tell(note);
  document.getElementById("look-again").addEventListener("click", look);
  document.addEventListener("visibilitychange", () => document.hidden || look());
  look();
}

const door = document.getElementById("leads-on");
if (door) {
  trusts(door.dataset.address).then((yes) => location.replace(yes ? door.dataset.address : door.dataset.else));
}
