"use strict";

// Tiles are dragged between the hand and the sets. Each drop is one entry; where nothing can be
// dragged, the page of a tile does the same.
function letMove() {
  const moving = document.getElementById("moving");
  for (const list of moving ? document.querySelectorAll("[data-place]") : []) {
    if (Sortable.get(list)) continue;
    new Sortable(list, {
      group: "tiles",
      sort: false,
      forceFallback: true,
      fallbackTolerance: 4,
      delay: 180,
      delayOnTouchOnly: true,
      draggable: "li",
      ghostClass: "dragged",
      onAdd(event) {
        moving.elements.tile.value = event.item.id;
        moving.elements.place.value = event.to.dataset.place;
        moving.submit();
      },
    });
  }
}

letMove();
document.addEventListener("htmx:afterSettle", letMove);
