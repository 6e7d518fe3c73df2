// What the reader may do, so that nothing else is offered. The server decides again; this only keeps buttons honest.

/** @typedef {import('./types').Caller} Caller */

/**
 * Whether this caller is an admin of this lock: of everything, of its namespace, or of names that begin so.
 * @param {Caller | null} caller
 * @param {string} namespace
 * @param {string} name
 */
export function mayForce(caller, namespace, name) {
  return Object.entries(caller?.roles ?? {}).some(
    ([place, roles]) => roles.includes('admin') && covers(place, namespace, name),
  );
}

/**
 * Whether this caller may stop and start what this app uses.
 * @param {Caller | null} caller
 * @param {string} app
 */
export function mayGuard(caller, app) {
  return Object.entries(caller?.roles ?? {}).some(
    ([place, roles]) => (roles.includes('guard') || roles.includes('admin')) && covers(place, 'guard', app),
  );
}

/**
 * The highest role the reader has anywhere, for the corner of the frame.
 * @param {Caller} caller
 */
export function roleWord(caller) {
  const all = Object.values(caller.roles).flat();
  return ['admin', 'state', 'guard', 'lock', 'state-read', 'read'].find((role) => all.includes(role)) ?? 'no role';
}

/**
 * Whether this caller may change the state of the stack with this lock.
 * @param {Caller | null} caller
 * @param {import('./types').LockName} lock
 */
export function mayChangeState(caller, lock) {
  return Object.entries(caller?.roles ?? {}).some(
    ([place, roles]) => roles.some((role) => role === 'state' || role === 'admin') && covers(place, lock.namespace, lock.name),
  );
}

/**
 * @param {string} place
 * @param {string} namespace
 * @param {string} name
 */
function covers(place, namespace, name) {
  if (place === '*' || place === namespace) {
    return true;
  }
  if (!place.startsWith(`${namespace}/`)) {
    return false;
  }
  const rest = place.slice(namespace.length + 1);
  // The lock of a stack is also known by its stack and environment.
  const stack = namespace === 'deploy' ? /^stack:(.+?):env:(.+)$/.exec(name) : null;
  const names = stack ? [name, `${stack[1]}/${stack[2]}`] : [name];
  return names.some((one) => (rest.endsWith('*') ? one.startsWith(rest.slice(0, -1)) : one === rest));
}
