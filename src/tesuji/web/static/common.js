// What all pages share: elements made in one call, and the connection that comes back.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An HTML element with attributes and children; those that begin with "on" are listeners. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export const byId = (id) => document.getElementById(id);

export const percent = (value) => `${(100 * value).toFixed(1)}%`;

export const count = (number) => number.toLocaleString("en");

/** The file that a button offers to keep. */
export function download(name, text, type = "text/plain") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Says something to everybody, those who listen to the page too. */
export function say(text) {
  byId("message").textContent = text;
}

/**
 * Makes the rows of a table agree with `entries`, which have a `key` each. A row that is there already is only changed,
 * by `update`: else a press on it would be lost, and the keyboard's place in the table.
 */
export function showRows(table, entries, { key, make, update }) {
  const [body] = table.tBodies;
  const before = new Map([...body.rows].map((row) => [row.dataset.key, row]));
  const rows = entries.map((entry) => {
    const name = String(entry[key]);
    const row = before.get(name) ?? make(entry);
    row.dataset.key = name;
    before.delete(name);
    update(row, entry);
    return row;
  });
  before.forEach((row) => row.remove());
  rows.forEach((row, index) => { if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null); });
}

const FIRST_DELAY = 300;
const LONGEST_DELAY = 5000;
const ASLEEP = 4000;  // the server's word for "nothing was said for long"
const SIGNS_OF_LIFE = ["pointerdown", "keydown", "visibilitychange"];
const LOST = "the connection is lost; trying again";

/**
 * The connection of a page. It comes back when it is lost, and `greet` then says again what the server has forgotten.
 * Where the server has given the place away, since nobody was there, it comes back with the reader.
 * `handlers` has a function for each type of message.
 */
export class Connection {
  constructor(page, { greet, handlers }) {
    this.page = page;
    this.greet = greet;
    this.handlers = handlers;
    this.delay = FIRST_DELAY;
    this.wakes = false;
    this.kept = [];
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/${this.page}`);
    this.socket.addEventListener("open", () => {
      this.show("connected", false);
      if (byId("message").textContent === LOST) say("");
      const greeting = this.greet?.();
      for (const message of [greeting, ...this.kept.splice(0)]) if (message) this.send(message);
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type !== "full") this.delay = FIRST_DELAY;
      if (message.type === "error" || message.type === "full") say(message.message);
      this.handlers[message.type]?.(message);
    });
    this.socket.addEventListener("close", ({ code }) => {
      this.wakes = code === ASLEEP;
      this.kept = [];
      if (this.wakes) this.sleep();
      else {
        this.show("connection lost, trying again", true);
        setTimeout(() => this.open(), this.delay);
        this.delay = Math.min(LONGEST_DELAY, 2 * this.delay);
      }
    });
  }

  sleep() {
    this.show("asleep: press anything to go on", true);
    const wake = () => {
      if (document.hidden) return;
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, wake, true);
      this.open();
    };
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, wake, true);
  }

  show(text, lost) {
    byId("connection").textContent = text;
    byId("connection").classList.toggle("lost", lost);
  }

  isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Whether it could be sent: what is said while the connection is lost is not kept, but for what has woken it. */
  send(message) {
    if (!this.isOpen()) {
      if (this.wakes) this.kept.push(message);
      else say(LOST);
      return this.wakes;
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
