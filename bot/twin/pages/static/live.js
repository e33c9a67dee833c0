// Draws again what changed on the page, by asking for the page itself; and Ctrl+Enter sends.
// Everything works without this file: a reload shows the same.
"use strict";

const PAUSE = 1500;
const shown = new Map();
let tag = null;
let failures = 0;

function remember(root) {
  for (const part of root.querySelectorAll("[data-live]")) {
    if (part.id) shown.set(part.id, part.outerHTML);
  }
}

function busy(part) {
  const here = document.activeElement;
  if (part.contains(here) && here.matches("textarea, input, select")) return true;
  return [...part.querySelectorAll("details.edit[open] textarea")].some((t) => t.value !== t.defaultValue);
}

function drawOne(fresh) {
  const old = document.getElementById(fresh.id);
  if (!old || shown.get(fresh.id) === fresh.outerHTML || busy(old)) return;
  shown.set(fresh.id, fresh.outerHTML);
  old.replaceWith(document.importNode(fresh, true));
}

function drawList(list) {
  const here = document.getElementById(list.id);
  if (!here) return;
  const wanted = [...list.children];
  const names = new Set(wanted.map((part) => part.id));
  for (const old of [...here.children]) if (!names.has(old.id) && !busy(old)) old.remove();
  let before = null;
  for (const part of wanted) {
    let own = document.getElementById(part.id);
    if (!own) {
      own = document.importNode(part, true);
      shown.set(part.id, part.outerHTML);
      here.insertBefore(own, before ? before.nextSibling : here.firstChild);
    }
    before = own;
  }
}

async function look() {
  const headers = { Accept: "text/html" };
  if (tag) headers["If-None-Match"] = tag;
  const answer = await fetch(location.pathname + location.search, { headers, cache: "no-store" });
  failures = 0;
  if (answer.status !== 200) return;
  tag = answer.headers.get("ETag");
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  page.querySelectorAll("[data-live-list]").forEach(drawList);
  page.querySelectorAll("[data-live]").forEach((part) => part.id && drawOne(part));
}

async function forever() {
  try {
    if (!document.hidden) await look();
  } catch {
    failures += 1;
  }
  setTimeout(forever, PAUSE * Math.min(20, 2 ** failures));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  // Only where it is harmless: nobody approves or merges by a slip of the hand.
  const button = event.target.closest("form")?.querySelector("#send");
  if (button && !button.disabled) button.form.requestSubmit(button);
});

// A form that was refused is shown at the form's own address, which has no page to ask for.
if (document.querySelector("[data-live]") && !document.querySelector(".problem")) {
  remember(document);
  setTimeout(forever, PAUSE);
}
