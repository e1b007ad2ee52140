// Fingers and the wheel on a map: tap, drag, pinch. Shared by all pages that have one.
const touchable = (board) => { board.root.style.touchAction = board.zoomed ? "none" : "pan-y"; };

function fingers(board, tapped, swiped) {
  const map = board.root, down = new Map();
  let start = null, spread = 0;
  const apart = () => {
    const [a, b] = Array.from(down.values());
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  map.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, event);
    if (down.size === 1) start = { x: event.clientX, y: event.clientY, box: [...board.box], moved: false };
    if (down.size === 2) spread = apart();
  });
  map.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId) || !start) return;
    down.set(event.pointerId, event);
    const dx = event.clientX - start.x, dy = event.clientY - start.y;
    if (Math.hypot(dx, dy) > 6) start.moved = true;
    if (down.size === 2) {
      const [a, b] = Array.from(down.values()), now = apart();
      board.zoom(now / (spread || now), board.point({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 }));
      spread = now;
      start.moved = true;
    } else if (board.zoomed && start.moved) {
      if (map.setPointerCapture && !map.hasPointerCapture(event.pointerId)) map.setPointerCapture(event.pointerId);
      const scale = board.box[2] / map.getBoundingClientRect().width;
      board.setBox([start.box[0] - dx * scale, start.box[1] - dy * scale, start.box[2]]);
    }
    touchable(board);
  });
  const up = (event) => {
    if (!down.delete(event.pointerId) || !start || down.size) return;
    const dx = event.clientX - start.x, dy = event.clientY - start.y;
    if (!start.moved && event.type === "pointerup") {
      const place = board.hexAt(board.point(event));
      if (place) tapped(place);
    } else if (!board.zoomed && event.pointerType === "touch") swiped(dx, dy);
    start = null;
  };
  map.addEventListener("pointerup", up);
  map.addEventListener("pointercancel", up);
  map.addEventListener("wheel", (event) => {
    event.preventDefault();
    board.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, board.point(event));
    touchable(board);
  }, { passive: false });
}
