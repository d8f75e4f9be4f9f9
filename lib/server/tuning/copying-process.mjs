// A separate process, started by listener-copies.ts: it sends a listening socket back the requested number of times. Each comes back as a
// separate descriptor. Plain JavaScript, because Node loads the file as it is, from the sources and from either build.
process.on("message", (count, socket) => {
  let left = count;
  const onSent = () => {
    left -= 1;
    if (left === 0) process.disconnect();
  };
  for (let sent = 0; sent < count; sent += 1)
    process.send("copy", socket, { keepOpen: true }, onSent);
});
