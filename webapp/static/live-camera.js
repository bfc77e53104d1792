// The live picture of the camera: says what to do, and takes the photo once it is sharp, still and
// all tiles are counted. The photo then goes the way of any other, through the form's own field.

const LOOK_MS = 400; // from one look to the next: 150 in a minute, of which the server allows 180
const HOLD_MS = 1000; // for so long all must be well before the photo is taken
const PATIENCE_MS = 4000; // and for so long where tiles at the edge or far away are all that is amiss
const SAY_MS = 2500; // least time from one sentence that is spoken to the next
const PATIENT_LOOKS = 4; // looks without an answer until that is told
const WIDTH = 1920; // pixels that are asked of the camera; hands are read as well with half of it
const PHOTO_QUALITY = 0.92;
const FRAME_QUALITY = 0.8;

const dialog = document.getElementById("live");
const offer = document.getElementById("live-offer");
const input = document.querySelector("form[data-photo] input[capture]");
const words = dialog.dataset;
const limits = JSON.parse(document.getElementById("photo-check").dataset.limits);
const part = (selector) => dialog.querySelector(selector);
const video = part("video");
const photo = document.createElement("canvas");
const frame = document.createElement("canvas");

let stream = null;
let state = null;
let takenHere = false;

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, Math.max(0, ms)); });
const jpegOf = (canvas, quality) =>
  new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", quality); });

function drawn(source, width, height, canvas, longest) {
  const scale = Math.min(1, longest / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
}

// One short instruction in large print; spoken once it stays, and not too often.
function say(what, n = 0) {
  const text = words[what].replace("{n}", n).replace("{most}", words.tiles);
  const shown = part(".live-say");
  const stays = shown.textContent === text;
  shown.textContent = text;
  const spoken = part("[role=status]");
  const now = performance.now();
  if (!stays || spoken.textContent === text || now - state.spokenAt < SAY_MS) return;
  spoken.textContent = text;
  state.spokenAt = now;
}

function ring(share) {
  part(".live-ring circle + circle").style.strokeDashoffset = 100 * (1 - Math.min(1, share));
}

function outline({ size, tiles }) {
  const found = part(".live-found");
  found.setAttribute("transform", `scale(${video.videoWidth / size[0]})`);
  found.replaceChildren(...tiles.map((corners) => {
    const tile = document.createElementNS(found.namespaceURI, "polygon");
    tile.setAttribute("points", corners.join(" "));
    return tile;
  }));
}

// The tiles of the frame, as the server sees them; null, and told after a while, where it has no
// time or cannot be reached.
async function counted(own) {
  drawn(photo, photo.width, photo.height, frame, Number(words.side));
  const form = new FormData();
  form.append("photo", await jpegOf(frame, FRAME_QUALITY), "frame.jpg");
  const headers = { "X-CSRFToken": window.formToken() };
  const answer = await fetch(words.look, { method: "POST", body: form, headers }).catch(() => null);
  const view = answer?.ok ? await answer.json().catch(() => null) : null;
  if (state !== own) return null;
  own.unanswered = view ? 0 : own.unanswered + 1;
  if (own.unanswered >= PATIENT_LOOKS) say(answer?.status === 503 ? "busy" : "alone");
  return view;
}

// Whether as many tiles lie where they lay a moment ago, but for what a steady hand moves.
function still(view, at) {
  const corners = view.tiles.flat();
  const middle = [0, 1].map((way) => corners.reduce((sum, xy) => sum + xy[way], 0) / corners.length);
  const before = state.before;
  state.before = { count: view.tiles.length, middle, at };
  if (!before || before.count !== view.tiles.length) return false;
  const moved = Math.hypot(middle[0] - before.middle[0], middle[1] - before.middle[1]);
  return moved / view.size[0] <= (Number(words.steady) * (at - before.at)) / 1000;
}

function judged(view, fault, at) {
  const n = view.tiles.length;
  const enough = n >= Number(words.tiles);
  const rests = still(view, at) && fault !== "blurred";
  const well = enough && rests;
  if (!well) state.wellSince = null;
  else state.wellSince ??= at;
  const share = well ? (at - state.wellSince) / (view.advice ? PATIENCE_MS : HOLD_MS) : 0;
  ring(share);
  part(".live-view").classList.toggle("counted", enough);
  if (view.advice) say(view.advice);
  else if (!enough) say("few", n);
  else if (!rests) say("still");
  else say("good", n);
  return share >= 1;
}

// One look at what the camera sees now; true if it is the photo to take.
async function look(own, at) {
  drawn(video, video.videoWidth, video.videoHeight, photo, Infinity);
  const fault = window.faultOf(await window.glanceAt(photo, limits), limits);
  if (state !== own) return false;
  if (fault === "dark" || fault === "blown") {
    state.wellSince = null;
    ring(0);
    outline({ size: [1, 1], tiles: [] });
    say(fault === "dark" && lampIsOff() ? "lamp" : fault);
    return false;
  }
  const view = await counted(own);
  if (!view || state !== own) return false;
  outline(view);
  return judged(view, fault, at);
}

async function watch(own) {
  while (state === own) {
    const begun = performance.now();
    if (video.videoWidth && (await look(own, begun))) {
      await use();
      return;
    }
    // Phones that look in the same rhythm would else get in one another's way again and again.
    const rest = own.unanswered ? LOOK_MS * (0.5 + Math.random()) : LOOK_MS;
    await pause(rest - (performance.now() - begun));
  }
}

// The photo that was looked at last goes into the field, as if it had been chosen there.
async function use() {
  state = null;
  const blob = await jpegOf(photo, PHOTO_QUALITY);
  if (!blob || !dialog.open) return;
  part("[role=status]").textContent = words.taken;
  const kept = new DataTransfer();
  kept.items.add(new File([blob], "photo.jpg", { type: "image/jpeg" }));
  takenHere = true;
  dialog.close();
  input.files = kept.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

async function takeNow() {
  if (!state || !video.videoWidth) return;
  drawn(video, video.videoWidth, video.videoHeight, photo, Infinity);
  await use();
}

function refused(error) {
  dialog.close();
  const why = { NotAllowedError: "refused", SecurityError: "refused", NotFoundError: "none" };
  const told = document.getElementById("live-refused");
  told.textContent = words[why[error.name] ?? "used"];
  told.hidden = false;
  told.focus();
  input.form.scrollIntoView({ block: "nearest" });
}

function offerLamp() {
  const [track] = stream.getVideoTracks();
  const lamp = part("[data-torch]");
  lamp.hidden = !track.getCapabilities?.().torch;
  lamp.setAttribute("aria-pressed", "false");
}

function lampIsOff() {
  const lamp = part("[data-torch]");
  return !lamp.hidden && lamp.getAttribute("aria-pressed") === "false";
}

function switchLamp() {
  const lamp = part("[data-torch]");
  const torch = lampIsOff();
  stream.getVideoTracks()[0].applyConstraints({ advanced: [{ torch }] })
    .then(() => lamp.setAttribute("aria-pressed", String(torch)), () => { lamp.hidden = true; });
}

async function open() {
  document.getElementById("live-refused").hidden = true;
  const own = { before: null, wellSince: null, spokenAt: 0, unanswered: 0 };
  state = own;
  dialog.showModal();
  say("starting");
  ring(0);
  const wanted = { facingMode: "environment", width: WIDTH, height: (WIDTH * 3) / 4 };
  try {
    const got = await navigator.mediaDevices.getUserMedia({ audio: false, video: wanted });
    stop();
    stream = got;
    if (state !== own) return stop();
    video.srcObject = stream;
    await video.play();
  } catch (error) {
    if (state === own) refused(error);
    return undefined;
  }
  offerLamp();
  return watch(own);
}

function stop() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  video.srcObject = null;
}

dialog.addEventListener("close", () => {
  state = null;
  stop();
  part(".live-found").replaceChildren();
  part(".live-view").classList.remove("counted");
});
video.addEventListener("resize", () => {
  part(".live-over").setAttribute("viewBox", `0 0 ${video.videoWidth} ${video.videoHeight}`);
});
part("[data-now]").addEventListener("click", takeNow);
part("[data-torch]").addEventListener("click", switchLamp);
part("[data-leave]").addEventListener("click", () => dialog.close());
part("[data-ordinary]").addEventListener("click", () => {
  takenHere = false;
  dialog.close();
  input.click();
});
document.getElementById("live-open").addEventListener("click", open);
// “Take another” after a photo that was taken here leads back here.
input.addEventListener("click", (event) => {
  if (!takenHere || event.isTrusted) return;
  event.preventDefault();
  open();
});
document.addEventListener("visibilitychange", () => { if (document.hidden) dialog.close(); });
window.addEventListener("pagehide", () => dialog.close());

async function cameraIsThere() {
  if (!dialog.showModal || !navigator.mediaDevices?.getUserMedia) return false; // as without https
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.some((device) => device.kind === "videoinput");
}

cameraIsThere().then((there) => {
  offer.hidden = !there;
  if (there) input.closest(".file").classList.remove("primary");
}, () => {});
