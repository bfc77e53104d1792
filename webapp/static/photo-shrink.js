"use strict";
// Makes a large photo smaller before it is sent: what the reader needs no more of costs only time.
// What every computer reads stays as it is; an iPhone's own format becomes JPEG where the browser
// can open it, and is sent as it is where it cannot.

const LONGEST = 4096;
const QUALITY = 0.92;
const SHRINK_MS = 20000;
const READ_EVERYWHERE = ["image/jpeg", "image/png", "image/webp"];

async function shrunk(file) {
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await new Promise((resolve, reject) => {
      picture.onload = resolve;
      picture.onerror = reject;
    });
    // Width and height are those of the upright photo, and so is what is drawn.
    const scale = Math.min(1, LONGEST / Math.max(picture.naturalWidth, picture.naturalHeight));
    if (scale === 1 && READ_EVERYWHERE.includes(file.type)) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.naturalWidth * scale);
    canvas.height = Math.round(picture.naturalHeight * scale);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", QUALITY); });
    return blob ? new File([blob], "photo.jpg", { type: "image/jpeg" }) : file;
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function allShrunk(files) {
  const kept = new DataTransfer();
  for (const file of files) kept.items.add(await shrunk(file).catch(() => file));
  return kept.files;
}

// Puts smaller copies of large photos in their place; what takes too long is sent as it is.
window.shrinkPhotos = async (input) => {
  const patience = new Promise((resolve) => { setTimeout(() => resolve(null), SHRINK_MS); });
  const files = await Promise.race([allShrunk(input.files), patience]).catch(() => null);
  if (files && files.length === input.files.length) input.files = files;
};
