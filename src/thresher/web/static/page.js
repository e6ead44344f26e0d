// The little that needs a script: keys, choosing all, news without loading anew, progress, dropping files.
// Nothing here makes HTML of text: parts of pages are taken as the server wrote them, figures are set as text.
"use strict";

const table = document.querySelector("table.messages");
const form = document.getElementById("teach");
const rows = () => [...document.querySelectorAll("table.messages tbody tr[data-id]")];
const here = () => document.querySelector("tr.here");

function move(to) {
  if (!to) return;
  const was = here();
  if (was) was.classList.remove("here");
  to.classList.add("here");
  to.querySelector("th a").focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = rows();
  const at = all.indexOf(here());
  move(all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)]);
}

function say(what) {
  const button = form && form.querySelector(`button[name=say][value=${what}]`);
  if (!button || button.disabled) return;
  if (table && !form.querySelector("input[name=id]:checked")) {
    if (!here()) return;
    here().querySelector("input[name=id]").checked = true;
  }
  form.requestSubmit(button);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const on = event.target;
  if (on.matches("input:not([type=checkbox]):not([type=radio]), select, textarea")) return;
  const keys = { j: () => step(1), k: () => step(-1), s: () => say("spam"), h: () => say("ham"), u: () => {
    const button = document.querySelector(".undo button");
    if (button) button.click();
  } };
  const act = keys[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
});

function choosing() {
  for (const hidden of document.querySelectorAll(".actions [hidden]")) hidden.hidden = false;
  const all = document.getElementById("all");
  if (all) all.addEventListener("change", () => {
    for (const box of form.querySelectorAll("input[name=id]")) box.checked = all.checked;
  });
}

// After a lesson the next message is at hand.
function refocus() {
  if (!table || !table.dataset.focus) return;
  const row = document.getElementById("m" + table.dataset.focus);
  // In a review what was answered is gone.
  move(row ? row.nextElementSibling || row : rows()[0]);
}

// News: the list is fetched anew when the server says there is more, unless somebody is choosing.
async function fresh() {
  if (form.querySelector("input[name=id]:checked")) return;
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const made = page.querySelector("table.messages tbody");
  if (!made) return;
  const at = here() && here().id;
  const focused = at && here().contains(document.activeElement);
  table.tBodies[0].replaceWith(document.adoptNode(made));
  const row = at && document.getElementById(at);
  if (row) row.classList.add("here");
  if (row && focused) row.querySelector("th a").focus({ preventScroll: true });
}

function live() {
  if (!table || !table.dataset.live) return;
  const source = new EventSource(table.dataset.live + "?last=" + table.dataset.last);
  source.addEventListener("news", (event) => {
    if (event.data !== table.dataset.last) {
      table.dataset.last = event.data;
      fresh();
    }
  });
}

function progress() {
  for (const job of document.querySelectorAll("[data-job]")) {
    const source = new EventSource(job.dataset.job);
    source.addEventListener("progress", (event) => {
      const told = JSON.parse(event.data);
      const bar = job.querySelector("progress");
      if (bar) {
        bar.max = told.total || 1;
        bar.value = told.done;
      }
      job.querySelector(".told").textContent = told.text;
      if (told.over) {
        source.close();
        location.assign(told.next || location.href);
      }
    });
  }
}

function dropping() {
  for (const place of document.querySelectorAll(".drop")) {
    const files = place.querySelector("input[type=file]");
    place.addEventListener("dragover", (event) => {
      event.preventDefault();
      place.classList.add("over");
    });
    place.addEventListener("dragleave", () => place.classList.remove("over"));
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      place.classList.remove("over");
      files.files = event.dataTransfer.files;
    });
  }
}

choosing();
refocus();
live();
progress();
dropping();
