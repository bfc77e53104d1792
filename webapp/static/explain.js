"use strict";

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

for (const button of document.querySelectorAll("[data-share-link]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    navigator.share({ title: document.title, url: button.dataset.shareLink || location.href }).catch(() => {});
  });
}

// Away from HTTPS browsers have no clipboard but for what is selected.
async function copy(field) {
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else if (!document.execCommand("copy")) throw new Error("not copied");
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  const status = document.getElementById("copied");
  button.addEventListener("click", () => {
    copy(document.getElementById(button.dataset.copy))
      .then(() => { status.textContent = `✓ ${button.dataset.copied}`; })
      .catch(() => { status.textContent = ""; });
  });
}

function light(button) {
  for (const card of document.querySelectorAll(".score.lit")) {
    card.classList.remove("lit");
    for (const marked of card.querySelectorAll(".marked")) marked.classList.remove("marked");
    for (const other of card.querySelectorAll(".lights")) other.setAttribute("aria-pressed", "false");
    card.querySelector("[data-told]").textContent = "";
  }
  const card = button?.closest(".score");
  if (!card) return;
  card.classList.add("lit");
  button.setAttribute("aria-pressed", "true");
  for (const place of card.querySelectorAll("[data-tiles]")) {
    if (place.dataset.tiles === button.dataset.lights) place.classList.add("marked");
  }
  card.querySelector("[data-told]").textContent = button.dataset.said;
}

for (const line of document.querySelectorAll(".score [data-lights]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "lights";
  button.textContent = line.textContent;
  Object.assign(button.dataset, line.dataset);
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("focus", () => light(button));
  button.addEventListener("blur", () => light(null));
  line.replaceWith(button);
}

document.addEventListener("click", (event) => light(event.target.closest(".lights")));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") light(null);
});
