// The sheet: lines written so far, the text they make, and how it gets into a mail.
const MOST_LINK = 1600; // letters of a link that every mail program takes

class Sheet {
  constructor(data, changed) {
    this.data = data;
    this.lines = [];
    this.changed = changed;
    $("default").textContent = data.default;
    $("undo").addEventListener("click", () => this.undo());
    $("copy").addEventListener("click", () => this.copy());
    for (const [id, head] of [["mail", ""], ["check", "check\n"]]) $(id).addEventListener("click", () => this.open(head));
    $("to").textContent = data.reply ? `To ${data.reply}` : "";
    for (const id of ["mail", "check"]) $(id).hidden = !data.reply;
    $("how").textContent = (data.reply ? "" : "Copy the text and answer our letter with it. ") +
      "Nothing is sent by this page and nothing is kept in it: when it is closed, the sheet is gone.";
    this.show();
  }

  add(line) {
    this.lines.push(line);
    this.show();
    say(`Written: ${line.text}. ${count(this.lines.length, "line")} in all.`);
  }

  remove(at) {
    const [gone] = this.lines.splice(at, 1);
    this.show();
    say(`Taken out: ${gone.text}.`);
  }

  undo() {
    if (this.lines.length) this.remove(this.lines.length - 1); else say("There is nothing to undo.");
  }

  text(head = "") { return `${head}key ${this.data.key}\n${this.lines.map((line) => `${line.text}\n`).join("")}`; }

  // Who has an order already, and where the sheet puts him.
  ordered(id) { return this.lines.some((line) => line.units.includes(id)); }

  put() {
    const there = {};
    for (const line of this.lines) if (line.ghost) for (const id of line.units) there[id] = line.to;
    return there;
  }

  show() {
    $("lines").replaceChildren(...this.lines.map((line, at) => {
      const cross = element("button", { type: "button", "aria-label": `Take out: ${line.text}` }, "\u2715");
      cross.addEventListener("click", () => { this.remove(at); ($("lines").children[Math.min(at, this.lines.length - 1)]?.lastChild || $("hand")).focus(); });
      return element("li", {}, element("div", {}, element("code", {}, line.text), ...(line.note ? [element("small", {}, line.note)] : [])), cross);
    }));
    $("count").textContent = this.lines.length || "";
    $("empty").hidden = this.lines.length > 0;
    $("undo").disabled = !this.lines.length;
    $("text").value = this.text();
    $("text").rows = Math.min(12, Math.max(4, this.lines.length + 2));
    $("mail").href = this.link("");
    $("check").href = this.link("check\n");
    this.changed();
  }

  // A mail with the text in it; without, if no mail program would take so long a link.
  link(head) {
    const bare = `mailto:${encodeURIComponent(this.data.reply).replace(/%40/g, "@").replace(/%2B/g, "+")}?subject=${encodeURIComponent(this.data.subject)}`;
    const whole = `${bare}&body=${encodeURIComponent(this.text(head).replace(/\n/g, "\r\n"))}`;
    return whole.length <= MOST_LINK ? whole : bare;
  }

  open(head) {
    if (this.link(head).includes("&body=")) return;
    this.copy(head, "The text is too long for a link, so it was copied: paste it into the mail.");
  }

  copy(head = "", said = "Copied. Paste it into an answer to our letter.") {
    const text = this.text(head), failed = () => this.select(head);
    if (navigator.clipboard && navigator.clipboard.writeText) navigator.clipboard.writeText(text).then(() => say(said), failed);
    else failed();
  }

  // Without a clipboard: the text is marked, and copied if the browser lets that be done.
  select(head) {
    const box = $("text");
    box.value = this.text(head);
    box.focus();
    box.select();
    let done = false;
    try { done = document.execCommand("copy"); } catch (error) { /* then by hand */ }
    say(done ? "Copied." : "The text is marked: copy it by hand.");
  }
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

function say(words) { $("said").textContent = words; }
