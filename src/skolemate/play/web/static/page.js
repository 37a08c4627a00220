// Small things that all parts of the page share.

export const byId = (id) => document.getElementById(id);

// An element with attributes and children; text is always text, never HTML.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// The address of a view of this page.
export const link = (parameters) => `#${new URLSearchParams(parameters)}`;

export const capital = (player) => player[0].toUpperCase() + player.slice(1);
export const opponent = (player) => (player === "black" ? "white" : "black");
export const amount = (number, thing, things = `${thing}s`) => `${number.toLocaleString("en")} ${number === 1 ? thing : things}`;
export const plies = (number) => amount(number, "ply", "plies");
export const seconds = (count) => count < 0.1 ? `${Math.ceil(1000 * count)} ms`
  : `${count < 10 ? count.toFixed(1) : Math.round(count)} s`;

export function complain(error) {
  const place = byId("error");
  place.textContent = error ? error.message || String(error) : "";
  place.hidden = !place.textContent;
  if (!place.hidden) place.scrollIntoView({block: "nearest"});
}

// Do something that may fail, and say so if it does.
export async function attempt(action) {
  complain(null);
  return quietly(action);
}

// The same for work that the user has not asked for: errors that are shown stay.
export async function quietly(action) {
  try {
    return await action();
  } catch (error) {
    complain(error);
    return undefined;
  }
}
