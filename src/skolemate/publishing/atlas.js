"use strict";
// The index of an atlas: rows are filtered by words, section and result, and sorted by any column.

const byId = (id) => document.getElementById(id);
const rowsOf = (table) => [...table.tBodies[0].rows];

function filter() {
  const words = byId("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const section = byId("section").value, kind = byId("kind").value, rows = rowsOf(byId("games"));
  for (const row of rows) {
    const game = row.cells[0].textContent.toLowerCase();
    row.hidden = !(words.every((word) => game.includes(word))
      && (!section || row.dataset.section === section) && (!kind || row.dataset.kind === kind));
  }
  byId("shown").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} entries`;
}

// Numbers by value, texts by letters, empty cells last in either direction.
function sort(table, column, direction) {
  const value = (row) => {
    const cell = row.cells[column], text = cell.textContent;
    return cell.classList.contains("number") ? Number(text.replaceAll(",", "")) : text;
  };
  const compare = (a, b) => a === "" || b === "" ? (a === "") - (b === "")
    : direction * (typeof a === "number" ? a - b : a.localeCompare(b, "en", {numeric: true}));
  table.tBodies[0].append(...rowsOf(table).sort((one, other) => compare(value(one), value(other))));
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.onclick = () => {
      const rising = head.ariaSort !== "ascending";
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = rising ? "ascending" : "descending";
      sort(table, column, rising ? 1 : -1);
    };
  });
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
byId("filter").oninput = filter;
byId("filter").onsubmit = (event) => event.preventDefault();
filter();  // a browser may keep what was typed before
