"use strict";
// Looks at a photo before it is sent, as vision/photo/glance.py does; the limits come with the page.

const CHECK_MS = 2500;

function greysOf(bitmap, longest) {
  const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const greys = new Float32Array(canvas.width * canvas.height);
  for (let i = 0; i < greys.length; i += 1) {
    greys[i] = Math.round(0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]);
  }
  return { greys, width: canvas.width, height: canvas.height };
}

function lightOf(greys, limits) {
  const counts = new Uint32Array(256);
  for (const grey of greys) counts[grey] += 1;
  const wanted = (limits.brightest / 100) * (greys.length - 1);
  let passed = 0;
  let light = 0;
  while (passed + counts[light] <= wanted) passed += counts[light++];
  let blown = 0;
  for (let grey = limits.burnt; grey < 256; grey += 1) blown += counts[grey];
  return { light, blown: blown / greys.length };
}

function squareAt({ greys, width, height }, left, top, size) {
  let sum = 0, squares = 0, across = 0, down = 0;
  for (let y = top; y < top + size; y += 1) {
    for (let x = left; x < left + size; x += 1) {
      const at = y * width + x;
      const grey = greys[at];
      sum += grey;
      squares += grey * grey;
      if (x > 0 && x < width - 1) across += (greys[at - 1] + greys[at + 1] - 2 * grey) ** 2;
      if (y > 0 && y < height - 1) down += (greys[at - width] + greys[at + width] - 2 * grey) ** 2;
    }
  }
  const count = size * size;
  const contrast = squares / count - (sum / count) ** 2;
  return { contrast, across: across / count, down: down / count };
}

function sharpnessOf(picture, limits) {
  const size = limits.block;
  const squares = [];
  for (let top = 0; top + size <= picture.height; top += size) {
    for (let left = 0; left + size <= picture.width; left += size) {
      squares.push(squareAt(picture, left, top, size));
    }
  }
  squares.sort((a, b) => b.contrast - a.contrast);
  if (squares.length === 0 || squares[0].contrast < limits.contrast) return null;
  const most = squares.slice(0, Math.max(limits.least, Math.floor(limits.share * squares.length)));
  const crisper = (way) => {
    const ratios = most.map((square) => square[way] / (square.contrast + limits.faint));
    ratios.sort((a, b) => a - b);
    return ratios[Math.floor(limits.quantile * (ratios.length - 1))];
  };
  return Math.min(crisper("across"), crisper("down"));
}

async function glanceAt(file, limits) {
  const bitmap = await createImageBitmap(file);
  const side = Math.max(bitmap.width, bitmap.height);
  const picture = greysOf(bitmap, limits.side);
  bitmap.close();
  const { light, blown } = lightOf(picture.greys, limits);
  return { side, light, blown, sharpness: sharpnessOf(picture, limits) };
}

function faultOf({ side, light, blown, sharpness }, limits) {
  if (light < limits.dark_below) return "dark";
  if (blown > limits.blown_above) return "blown";
  if (side < limits.small_below) return "small";
  return sharpness !== null && sharpness < limits.blurred_below ? "blurred" : "";
}

async function faultsOf(files, limits) {
  const faults = [];
  for (const file of files) faults.push(faultOf(await glanceAt(file, limits), limits));
  return faults;
}

function showHint(box, form, input, faults) {
  const list = box.querySelector("ul");
  list.replaceChildren();
  faults.forEach((fault, number) => {
    if (!fault) return;
    const line = document.createElement("li");
    const which = faults.length > 1 ? `${box.dataset.photo.replace("{n}", number + 1)} ` : "";
    line.textContent = which + box.dataset[fault];
    list.append(line);
  });
  box.querySelector("[data-use]").onclick = () => {
    box.hidden = true;
    window.sendPhotos(form);
  };
  box.querySelector("[data-again]").onclick = () => {
    box.hidden = true;
    input.value = "";
    input.click();
  };
  form.after(box);
  box.hidden = false;
  box.focus();
}

// Whether the photos may be sent at once; if not, the hint asks. What cannot be looked at is sent.
window.photosAreFine = async (form, input) => {
  const box = document.getElementById("photo-check");
  if (!box) return true;
  box.hidden = true;
  const limits = JSON.parse(box.dataset.limits);
  const patience = new Promise((resolve) => { setTimeout(() => resolve([]), CHECK_MS); });
  const faults = await Promise.race([faultsOf(input.files, limits), patience]).catch(() => []);
  if (!faults.some(Boolean)) return true;
  showHint(box, form, input, faults);
  return false;
};
