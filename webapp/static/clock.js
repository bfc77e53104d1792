"use strict";
// What is left is counted from when the server told it, so that a clock set wrong does no harm.
const TICK_MS = 1000;
const STROKES_S = [0, 0.9, 1.8];
const CALL_S = [0, 0.9];
const PARTIALS_HZ = [660, 1320, 1980];
const STROKE_S = 1.6;

const ends = new WeakMap();
const awaited = new Set();
let audio = null;

function secondsLeft(clock) {
  if (!ends.has(clock)) ends.set(clock, Date.now() + 1000 * Number(clock.dataset.left));
  return (ends.get(clock) - Date.now()) / 1000;
}

function strike(at, pitch, loudness) {
  const tone = audio.createOscillator();
  const gain = audio.createGain();
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + STROKE_S);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + STROKE_S);
}

function ring(strokes) {
  if (!audio) return;
  for (const after of strokes) {
    PARTIALS_HZ.forEach((pitch, n) => strike(audio.currentTime + after, pitch, 0.3 / (n + 1)));
  }
}

function showTime() {
  const bell = document.getElementById("bell");
  if (bell) bell.closest(".bell").hidden = audio !== null;
  const clock = document.querySelector("[data-left]");
  if (!clock) return;
  const { until, words, called, over } = clock.dataset;
  const left = secondsLeft(clock);
  const early = Number(clock.dataset.early);
  const counted = left > early ? words.replace("{n}", Math.ceil(left / 60)) : called;
  const told = clock.dataset.round + (left > 0 ? counted : over);
  if (clock.textContent !== told) clock.textContent = told;
  strikeOnce(`${until} call`, early > 0 && left > early, left <= early && left > 0, CALL_S);
  strikeOnce(until, left > 0, left <= 0, STROKES_S);
}

// Whoever opens the page after the moment hears nothing any more.
function strikeOnce(name, before, now, strokes) {
  if (before) awaited.add(name);
  else if (now && awaited.delete(name)) ring(strokes);
}

// A browser lets a page sound only once somebody has pressed something on it.
document.addEventListener("click", (event) => {
  if (!event.target.closest("#bell")) return;
  audio = new AudioContext();
  ring([0]);
  showTime();
});

document.addEventListener("htmx:afterSwap", showTime);
document.addEventListener("visibilitychange", showTime);
setInterval(showTime, TICK_MS);
showTime();
