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

const FIRST_DELAY = 300;
const LONGEST_DELAY = 5000;

/**
 * The connection of a page. It comes back when it is lost, and `greet` then says again what the server has forgotten.
 * `handlers` has a function for each type of message.
 */
export class Connection {
  constructor(page, { greet, handlers }) {
    this.page = page;
    this.greet = greet;
    this.handlers = handlers;
    this.delay = FIRST_DELAY;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/${this.page}`);
    this.socket.addEventListener("open", () => {
      this.delay = FIRST_DELAY;
      this.show("connected", false);
      const greeting = this.greet?.();
      if (greeting) this.send(greeting);
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "error") say(message.message);
      this.handlers[message.type]?.(message);
    });
    this.socket.addEventListener("close", () => {
      this.show("connection lost, trying again", true);
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(LONGEST_DELAY, 2 * this.delay);
    });
  }

  show(text, lost) {
    byId("connection").textContent = text;
    byId("connection").classList.toggle("lost", lost);
  }

  isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Whether it could be sent: what is said while the connection is lost is not kept. */
  send(message) {
    if (!this.isOpen()) {
      say("the connection is lost; trying again");
      return false;
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
