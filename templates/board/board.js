// The page begins: what is packed is unpacked, the map is drawn, buttons, keys and fingers are connected.
{
  const packed = $("data").hasAttribute("data-packed");
  const read = (id) => (packed ? unpacked($(id).textContent) : $(id).textContent);
  const data = JSON.parse(read("data"));
  $("ground").innerHTML = read("ground-text");
  $("symbols").innerHTML = read("symbols-text");
  $("off").remove();
  for (const part of document.querySelectorAll("header, main")) part.hidden = false;
  const room = () => document.documentElement.style.setProperty("--head", `${document.querySelector("header").offsetHeight}px`);
  room();
  const board = new Board($("map"), data), orders = new Orders(data), marks = new Marks(board, orders);
  let cards = null;
  const draw = () => { if (cards) marks.draw(cards.choice, sheet.lines, sheet.put()); };
  const shown = () => { draw(); if (cards && cards.choice.place) board.follow([cards.choice.place]); };
  const sheet = new Sheet(data, draw);
  cards = new Cards(orders, sheet, shown);
  cards.drop();
  begin(board, orders);

  for (const [id, act] of [["closer", () => board.zoom(1.4)], ["farther", () => board.zoom(1 / 1.4)], ["all", () => board.fit()]]) $(id).addEventListener("click", act);
  fingers(board, (place) => cards.tap(place), () => {});
  board.root.style.touchAction = "none";
  const byHand = () => {
    const text = $("hand").value.trim();
    if (!text) { say("Write a line first."); return; }
    $("hand").value = "";
    sheet.add({ text, units: [], note: "by hand: the referee reads it" });
  };
  $("add").addEventListener("click", byHand);
  $("hand").addEventListener("keydown", (event) => { if (event.key === "Enter") byHand(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") cards.drop();
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && event.target.id !== "hand") { event.preventDefault(); sheet.undo(); }
  });
  window.addEventListener("resize", () => { room(); board.refit(); });
  window.orderBoard = { data, orders, sheet, cards, board };
}

// The part of the map where most can be done, large enough to be read.
function begin(board, orders) {
  const acting = [...orders.stacks.keys(), ...orders.targets.keys()], own = Object.keys(orders.where).filter((id) => orders.own(id));
  const points = (acting.length ? acting : own.map((id) => orders.where[id])).map((place) => orders.data.hexes[place]).filter(Boolean);
  const middle = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
  board.fit();
  if (!points.length) return;
  const wide = (board.root.clientWidth / 46) * orders.data.pitch, high = wide * board.shape();
  board.setBox([middle(points.map((p) => p[0])) - wide / 2, middle(points.map((p) => p[1])) - high / 2, wide]);
}
