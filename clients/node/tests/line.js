import net from "node:net";

/** A TCP proxy to the real server that can be cut, fall silent, or lose what the server answers. */
export class Line {
  #state = "open";
  #sockets = new Set();
  #listener;

  static async to(target) {
    const { hostname, port } = new URL(target);
    const line = new Line();
    line.#listener = net.createServer((client) => line.#accept(client, net.connect(Number(port), hostname)));
    await new Promise((resolve) => line.#listener.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get url() {
    return `http://127.0.0.1:${this.#listener.address().port}`;
  }

  set(state) {
    this.#state = state;
    if (state === "open" || state === "cut") for (const socket of this.#sockets) socket.destroy();
  }

  close() {
    this.set("cut");
    this.#listener.close();
  }

  #accept(client, server) {
    if (this.#state === "cut") {
      client.destroy();
      server.destroy();
    }
    this.#pass(client, server, true);
    this.#pass(server, client, false);
  }

  #pass(from, to, toServer) {
    this.#sockets.add(from);
    from.on("data", (part) => {
      if (this.#state === "open" || (this.#state === "deaf" && toServer)) to.write(part);
    });
    from.on("error", () => {}); // close follows
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}

/** An address where nobody listens. */
export async function deadAddress() {
  const listener = net.createServer();
  await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return `http://127.0.0.1:${port}`;
}
