// A separate process, started by listener-copies.ts: it sends a listening socket back as often as it is asked to. Each comes back as a
// separate descriptor. Plain JavaScript: it begins with a file that Node reads as it is, from the sources and from either build.
process.on("message", (count, socket) => {
  let left = count;
  const onSent = () => {
    left -= 1;
    if (left === 0) process.disconnect();
  };
  for (let sent = 0; sent < count; sent += 1)
    process.send("copy", socket, { keepOpen: true }, onSent);
});
