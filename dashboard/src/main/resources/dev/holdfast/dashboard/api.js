// Calls of the server. One place adds the token, reads problems and notices that the reader must sign in.

/** What the server objected to, or why it could not be reached. */
export class ApiProblem extends Error {
  /**
   * @param {number} status of HTTP; 0 if there was no answer
   * @param {string} code
   * @param {string} detail
   * @param {string} requestId
   */
  constructor(status, code, detail, requestId) {
    super(detail);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }

  /** Whether the store behind the server is what fails, or the server itself. */
  get isOutage() {
    return this.status === 0 || this.status >= 500;
  }
}

/** An answer that takes longer is waited for in vain; only what is asked for, not what is done, may be given up. */
const PATIENCE_MS = 30_000;

/** The part of fetch that is used, so that tests can bring their own. */
export class Api {
  constructor() {
    /** Kept here and nowhere else: it ends with the page. */
    this.token = '';
    /** Called when the server wants to know who this is. */
    this.onUnauthorized = () => {};
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number | undefined>} [query]
   * @returns {Promise<any>}
   */
  get(path, query = {}) {
    return this.#json(withQuery(path, query), {signal: AbortSignal.timeout(PATIENCE_MS)});
  }

  /**
   * @param {string} path
   * @param {object} [body] none for a call that takes none
   * @param {Record<string, string>} [headers] what must hold, such as If-Match
   * @returns {Promise<any>}
   */
  post(path, body, headers = {}) {
    return this.#json(path, {
      method: 'POST',
      ...(body ? {body: JSON.stringify(body)} : {}),
      headers: {...(body ? {'Content-Type': 'application/json'} : {}), ...headers},
    });
  }

  /**
   * @param {string} path
   * @returns {Promise<any>}
   */
  delete(path) {
    return this.#json(path, {method: 'DELETE'});
  }

  /**
   * An answer that goes on: its body is still to be read.
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {AbortSignal} signal
   */
  async open(path, headers, signal) {
    const token = this.token;
    const response = await this.#send(path, {headers, signal});
    if (!response.ok) {
      throw await this.#problem(response, token);
    }
    return response;
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  async #json(path, init) {
    const token = this.token;
    const response = await this.#send(path, init);
    // A server that is not ready says so with 503 and an answer worth reading.
    if (!response.ok && !(path.startsWith('/health/') && response.status === 503)) {
      throw await this.#problem(response, token);
    }
    try {
      return await response.json();
    } catch (failure) {
      throw problemOf(failure);
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   */
  async #send(path, init) {
    const headers = new Headers(init.headers);
    if (this.token) {
      headers.set('Authorization', `Bearer ${this.token}`);
    }
    try {
      return await fetch(path, {...init, headers, credentials: 'same-origin', cache: 'no-store'});
    } catch (failure) {
      throw problemOf(failure);
    }
  }

  /** @param {Response} response @param {string} token that was sent */
  async #problem(response, token) {
    const said = await response.json().catch(() => ({}));
    const problem = new ApiProblem(
      response.status,
      said.code ?? `http-${response.status}`,
      said.detail ?? said.message ?? `The server answered ${response.status}.`,
      said.request_id ?? response.headers.get('X-Request-Id') ?? '',
    );
    // A refusal of an earlier token says nothing about who has signed in meanwhile.
    if (response.status === 401 && token === this.token) {
      this.onUnauthorized();
    }
    return problem;
  }
}

/**
 * Why there is no answer that can be used.
 * @param {unknown} failure of a request, or of reading its body
 * @returns {unknown} what somebody broke off stays what it is
 */
export function problemOf(failure) {
  const name = failure instanceof Error ? failure.name : '';
  if (failure instanceof ApiProblem || name === 'AbortError') {
    return failure;
  }
  if (name === 'TimeoutError') {
    return new ApiProblem(0, 'timeout', `The server has not answered within ${PATIENCE_MS / 1_000} seconds.`, '');
  }
  return name === 'SyntaxError' ? unreadable() : new ApiProblem(0, 'unreachable', 'The server cannot be reached.', '');
}

/** Something else has answered, or only half of the answer has come. */
export function unreadable() {
  return new ApiProblem(0, 'unreadable', 'The answer is not from Holdfast; perhaps a proxy or a sign-in page answered instead. Load this page again.', '');
}

/**
 * @param {string} path
 * @param {Record<string, string | number | undefined>} query
 */
export function withQuery(path, query) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') {
      params.set(name, String(value));
    }
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}
