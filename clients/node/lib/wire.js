import http from "node:http";
import https from "node:https";
import {
  AccessRefusedError,
  InvalidRequestError,
  OutcomeUnknownError,
  StoreUnavailableError,
  StoreUnusableError,
  refused,
} from "./errors.js";
import { now, sleep } from "./time.js";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Every try is given as much: a new connection takes several round trips. */
const LEAST_PATIENCE_MS = 250;
const SHORT_PAUSE_MS = 100;
const LATE_PAUSE_MS = 5_000;
/** Far more than what a server says about as many leases as one request has. */
const LARGEST_ANSWER = 16 << 20;
/** How Node says that one side did not accept the other when the connection was to be secured. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_)/;

/**
 * Brings requests to the servers. The one that answered last is asked first; one that fails is followed by the next, until the deadline
 * of the request. All requests may be sent twice, since they carry the lease id they are about.
 */
export class Wire {
  #servers;
  #headers;
  #agents;
  #preferred = 0;

  constructor(servers, token, { ca, cert, key }) {
    this.#servers = servers;
    this.#headers = { "Content-Type": "application/json", "User-Agent": "holdfast-node" };
    if (token) this.#headers.Authorization = `Bearer ${token}`;
    const kept = { keepAlive: true, maxFreeSockets: 8 };
    this.#agents = { "http:": new http.Agent(kept), "https:": new https.Agent({ ...kept, ca, cert, key, minVersion: "TLSv1.2" }) };
  }

  get first() {
    return this.#servers[0];
  }

  close() {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /**
   * The answer about the lock, a success or a refusal with a code of ours: `{status, answer, header, sent, doubted}`. Rejects with a
   * HoldfastError, or with the reason of the signal.
   *
   * ask: `what` (for messages), `path`, `body`, `deadline` (monotonic, until when failures are bridged), `holdMs` (how long the server
   * may take before it answers, besides the time any answer takes), `patienceMs` (of one try; a line that went silent is then given up).
   */
  async send(ask, signal) {
    const count = this.#servers.length;
    let doubt = false;
    let untrusted = 0;
    let last = new Error("the time was up before it could be asked");
    for (let tries = 1; ; tries++) {
      const left = ask.deadline - now().mono;
      if (left <= 0) throw gaveUp(ask, tries - 1, doubt, last);
      const index = this.#preferred;
      const server = this.#servers[index];
      let pause = 0;
      try {
        const reply = await this.#attempt(server, ask, this.#shareMs(ask, left), signal);
        const { answered, doubted, pauseMs } = judge(server, ask, reply);
        if (answered) return { ...reply, doubted: doubt };
        doubt ||= doubted;
        untrusted = 0;
        last = new Error(`${server}: ${reply.answer.detail ?? `status ${reply.status}`}`);
        pause = pauseMs;
      } catch (e) {
        if (signal?.aborted) throw signal.reason;
        if (!(e instanceof NoAnswer)) throw e;
        doubt ||= e.arrived;
        untrusted = e.untrusted ? untrusted + 1 : 0;
        last = new Error(`${server}: ${e.message}`, { cause: e.cause });
        if (untrusted >= count) {
          throw new StoreUnusableError(
            `No safe connection to ${last.message}. Check the certificate of the server, and which ones are trusted here (ca)`,
            { cause: e.cause },
          );
        }
        pause = backOff(tries / count);
      }
      if (this.#preferred === index) this.#preferred = (index + 1) % count; // the others ask the next, too
      if (tries % count !== 0) pause = 0;
      if (ask.deadline - now().mono <= pause) throw gaveUp(ask, tries, doubt, last);
      if (pause > 0) await sleep(pause, signal);
    }
  }

  /** Several servers share the time. A parked request is answered when its time is up, and that may take a moment too. */
  #shareMs(ask, left) {
    if (ask.holdMs > 0) return ask.holdMs + ask.patienceMs;
    const share = this.#servers.length > 1 ? left / 2 : left;
    return Math.max(LEAST_PATIENCE_MS, Math.min(share, ask.patienceMs));
  }

  /** Sends it once. */
  #attempt(server, ask, withinMs, signal) {
    return new Promise((resolve, reject) => {
      const url = new URL(server + ask.path);
      const secure = url.protocol === "https:";
      let arrived = false;
      const sent = now();
      const headers = { ...this.#headers, "Content-Length": Buffer.byteLength(ask.body) };
      const request = (secure ? https : http).request(url, { method: "POST", agent: this.#agents[url.protocol], headers });
      const timer = setTimeout(() => request.destroy(new Error("no answer in time")), withinMs);
      const stop = () => request.destroy(new Error("stopped"));
      const settle = (how, value) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        how(value);
      };
      const fail = (cause) => settle(reject, new NoAnswer(cause, arrived));
      request.on("socket", (socket) => {
        if (request.reusedSocket || !socket.connecting) arrived = true;
        else socket.once(secure ? "secureConnect" : "connect", () => (arrived = true));
      });
      request.on("error", fail);
      request.on("response", (response) => {
        const parts = [];
        let size = 0;
        response.on("data", (part) => {
          parts.push(part);
          size += part.length;
          if (size > LARGEST_ANSWER) request.destroy(new Error("the answer is too large"));
        });
        response.on("error", fail);
        response.on("close", () => {
          if (!response.complete) fail(new Error("the connection was closed before the answer was complete"));
        });
        response.on("end", () => {
          const answer = parsed(response.headers["content-type"] ?? "", Buffer.concat(parts).toString());
          settle(resolve, { status: response.statusCode, header: response.headers, answer, sent });
        });
      });
      if (signal?.aborted) stop();
      else signal?.addEventListener("abort", stop, { once: true });
      request.end(ask.body);
    });
  }
}

/** Nothing came back; `arrived` if the server may have seen the request nevertheless. */
class NoAnswer extends Error {
  constructor(cause, arrived) {
    super(cause.code === "ECONNREFUSED" ? "connection refused" : cause.message, { cause });
    this.arrived = arrived;
    this.untrusted = UNTRUSTED.test(cause.code ?? "");
  }
}

function parsed(type, text) {
  if (!/^[^;]*json\s*(;|$)/.test(type)) return {};
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // not what a server of ours says
  }
}

/** What an answer means for the request: an answer about the lock, or a reason to try again; throws what trying again does not mend. */
function judge(server, ask, reply) {
  const { status, answer } = reply;
  // A proxy may say 409 or 423 too, for reasons of its own: only with a code of ours is it about the lock.
  const ours = typeof answer.code === "string" && answer.code !== "";
  if (ours && (status === 409 || status === 423 || answer.code === "too-many-waiters")) return { answered: true };
  if (status === 200 || status === 202) return { answered: true };
  if (answer.code === "store-unusable") throw refused(StoreUnusableError, reply);
  if (status === 429 || status === 503) return { doubted: answer.code === "outcome-unknown", pauseMs: retryAfterMs(reply) };
  if (status === 500 || status === 502 || status === 504) return { doubted: true, pauseMs: SHORT_PAUSE_MS };
  if (ours && (status === 401 || status === 403)) throw refused(AccessRefusedError, reply);
  if (ours && [400, 413, 415, 422].includes(status)) throw refused(InvalidRequestError, reply);
  if (ours && status === 421) throw refused(StoreUnusableError, reply); // it goes by another name
  throw strange(server, ask, reply);
}

/** For answers that no server of ours would give. */
export function strange(server, ask, { status }) {
  return new StoreUnusableError(
    `${server} answered ${status} to ${ask.what}, but not as a Holdfast server does; is this the address of one, of this version or newer?`,
    { status },
  );
}

function retryAfterMs(reply) {
  const seconds = Number(reply.header["retry-after"] ?? 0);
  return Math.max(SHORT_PAUSE_MS, Math.min(LATE_PAUSE_MS, Number.isFinite(seconds) ? seconds * 1000 : 0));
}

function backOff(cycles) {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(cycles, 5));
  return pause - (Math.random() * pause) / 2;
}

function gaveUp(ask, tries, doubt, last) {
  const how = `No Holdfast server answered ${ask.what} (${tries} tries; ${last.message}). `;
  return doubt
    ? new OutcomeUnknownError(`${how}It may or may not have been done: check before relying on either`, { cause: last })
    : new StoreUnavailableError(`${how}Nothing was changed. Check the address, and whether it runs`, { cause: last });
}
