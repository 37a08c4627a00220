// Games by their families and parameters: the one that is shown, with its files, and a new one.

import {address} from "./api.js";
import {families} from "./collection.js";
import {byId, link, make} from "./page.js";
import {announce, here, position, state} from "./table.js";

// A game's own parameters, as in name(key=value, value); what was set up in it is left out.
function taken(base, family) {
  const inside = /^\w+\((.*)\)$/.exec(base), values = {};
  let place = 0;
  for (const part of inside ? inside[1].split(",") : []) {
    const [key, value] = part.includes("=") ? part.split("=") : [family.parameters[place].name, part];
    values[key.trim()] = value.trim();
    place += 1;
  }
  return values;
}

function field(parameter, value) {
  const {name, kind, choices} = parameter;
  if (kind === "true or false") return make("label", {}, make("input", {type: "checkbox", name, checked: value === "true"}), ` ${name}`);
  if (choices.length) {
    const listed = choices.includes(value) || value === undefined ? choices : [value, ...choices];
    const options = listed.map((choice) => make("option", {value: choice, selected: choice === value}, choice));
    return make("label", {}, `${name} `, make("select", {name}, ...options));
  }
  if (kind === "drawn board") return make("label", {}, `${name} `, make("input", {type: "text", name, required: true, value}));
  return make("label", {}, `${name} `, make("input", {type: "number", name, min: 1, max: 25, required: true, value}));
}

// The parameters that have a value here: not those that were left out, nor those that others stand for.
function valued(family, values) {
  const replaced = Object.keys(family.instead).filter((name) => name in values).flatMap((name) => family.instead[name]);
  return family.parameters.filter(({name, default: usual, required}) =>
    !replaced.includes(name) && (required || usual !== null || name in values));
}

// A field for each parameter, and a button.
function showFields(form, family, values, words) {
  const fields = valued(family, values).map((parameter) => field(parameter,
    values[parameter.name] ?? (parameter.default === null ? undefined : String(parameter.default))));
  form.replaceChildren(...fields, ...(words ? [make("button", {}, words)] : []));
}

// The game string of the fields.
function filled(place, family) {
  const shown = family.parameters.filter(({name}) => place.querySelector(`[name="${name}"]`));
  const set = shown.map((parameter) => {
    const input = place.querySelector(`[name="${parameter.name}"]`);
    return `${parameter.name}=${input.type === "checkbox" ? input.checked : input.value}`;
  });
  return set.length ? `${family.name}(${set.join(", ")})` : family.name;
}

const familyOf = (name) => families.find((entry) => entry.name === name.split("(")[0]);

export function refreshGame() {
  const family = familyOf(state.base);
  byId("about").textContent = family ? family.summary : position.title;
  const form = byId("parameters");
  form.replaceChildren();
  if (family && family.parameters.length) showFields(form, family, taken(state.base, family), "Set");
  const files = [["Picture, SVG", address("/api/svg", here())]];
  for (const format of position.formats) {
    files.push([`Game, .${format}`, address("/api/convert", {...here(), format})]);
  }
  byId("files-of").replaceChildren(...files.map(([words, href]) => make("a", {href, download: words.startsWith("Picture") ? "picture.svg" : true}, words)));
}

function showNew() {
  const family = familyOf(byId("new-game").elements.family.value);
  byId("new-game").title = family.summary;
  showFields(byId("new-parameters"), family, {}, "");
}

export function loadNew() {
  byId("new-game").elements.family.replaceChildren(...families.map(({name}) => make("option", {value: name, selected: name === "hex"}, name.replaceAll("_", " "))));
  showNew();
}

export function listenToGame() {
  byId("parameters").addEventListener("submit", (event) => {
    event.preventDefault();
    const address = link({game: filled(event.target, familyOf(state.base))});
    if (address === location.hash) return;
    const left = state.moves.length || /(black|white|first)=/.test(state.base);
    if (left) announce("Stones and moves were left behind; your browser's Back leads to them.");
    location.hash = address;
  });
  byId("new-game").elements.family.addEventListener("change", showNew);
  byId("new-game").addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = link({game: filled(byId("new-parameters"), familyOf(event.target.elements.family.value))});
  });
}
