// All pages: where they are, what they are called, and the key that leads to them. The first three come with the frame, since nearly
// everybody needs them; the others are loaded when somebody goes there.

/** @typedef {{page: string, href: string, title: string, key?: string, load?: () => Promise<unknown>}} PageAddress */

/** Those with a key are in the menu, in this order; the others are reached from one of them. @type {PageAddress[]} */
export const PAGES = [
  {page: 'overview', href: '/', title: 'Overview', key: 'o'},
  {page: 'locks', href: '/ui/locks', title: 'Locks', key: 'l'},
  {page: 'lock', href: '/ui/lock', title: 'Lock'},
  {page: 'waits', href: '/ui/waits', title: 'Waits', key: 'w', load: () => import('./page-waits.js')},
  {page: 'timeline', href: '/ui/timeline', title: 'Timeline', key: 't', load: () => import('./page-timeline.js')},
  {page: 'history', href: '/ui/history', title: 'History', key: 'h', load: () => import('./page-history.js')},
  {page: 'state', href: '/ui/state', title: 'State', key: 's', load: () => import('./page-state.js')},
  {page: 'stack', href: '/ui/stack', title: 'Stack', load: () => import('./page-stack.js')},
  {page: 'guard', href: '/ui/guard', title: 'Guard', key: 'u', load: () => import('./page-guard.js')},
  {page: 'resource', href: '/ui/resource', title: 'Resource', load: () => import('./page-resource.js')},
  {page: 'settings', href: '/ui/settings', title: 'Settings', key: ',', load: () => import('./page-settings.js')},
];

/** @param {string} path of an address */
export function pageAt(path) {
  return PAGES.find(({href}) => href === path);
}
