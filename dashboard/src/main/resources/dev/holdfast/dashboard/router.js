// Every view is an address. Links are ordinary links; those that lead to a page of ours do not load anything.

import {pageAt} from './pages.js';

/** @typedef {{page: string, query: URLSearchParams}} Place */


class Router extends EventTarget {
  /** @type {Place} */
  place = here();

  constructor() {
    super();
    addEventListener('popstate', () => this.#arrive());
    document.addEventListener('click', (click) => this.#follow(click));
  }

  /** @param {string} href */
  go(href) {
    if (href !== location.pathname + location.search) {
      history.pushState(null, '', href);
    }
    this.#arrive();
    scrollTo(0, 0);
  }

  /**
   * The same page, seen another way: no step for the back button.
   * @param {Record<string, string>} query what to change; empty removes
   */
  refine(query) {
    const params = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(query)) {
      if (value) {
        params.set(name, value);
      } else {
        params.delete(name);
      }
    }
    const text = params.toString();
    history.replaceState(null, '', location.pathname + (text ? `?${text}` : ''));
    this.#arrive();
  }

  #arrive() {
    this.place = here();
    this.dispatchEvent(new Event('change'));
  }

  /** @param {MouseEvent} click */
  #follow(click) {
    const link = /** @type {HTMLElement} */ (click.target).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || click.defaultPrevented || click.button !== 0) {
      return;
    }
    const elsewhere = click.metaKey || click.ctrlKey || click.shiftKey || click.altKey || link.target;
    if (elsewhere || link.origin !== location.origin || !pageAt(link.pathname)) {
      return;
    }
    click.preventDefault();
    this.go(link.pathname + link.search);
  }
}

/** @returns {Place} */
function here() {
  return {page: pageAt(location.pathname)?.page ?? 'overview', query: new URLSearchParams(location.search)};
}

export const router = new Router();
