// A lock in one word, as every output of the command line prints it, and as commands that can be carried away.

/** @typedef {import('./types').LockName} LockName */

/** @param {LockName} lock */
export function idOf(lock) {
  return `${lock.namespace}\n${lock.name}`;
}

/**
 * NAMESPACE:NAME[/PATH]; a slash in the name itself is written so that it can be typed again.
 * @param {LockName} lock
 * @param {string} [path]
 */
export function keyText(lock, path = '') {
  const name = lock.name.replace(/\/|%(?=2[Ff]|25)/g, (it) => (it === '/' ? '%2F' : '%25'));
  return `${lock.namespace}:${name}${path ? `/${path}` : ''}`;
}

/** @param {LockName} lock */
export function lockHref(lock) {
  return `/ui/lock?${new URLSearchParams({namespace: lock.namespace, name: lock.name})}`;
}

/** @param {{path: string, paths?: string[]}} hold */
export function pathsOf(hold) {
  return (hold.paths ?? [hold.path]).filter((path) => path).join(', ');
}

/**
 * What can be copied about a lock.
 * @param {LockName} lock
 * @param {string} origin where this server is
 */
export function copies(lock, origin) {
  const key = keyText(lock);
  const query = new URLSearchParams({namespace: lock.namespace, name: lock.name});
  const java = `LockKey.of(${quoted(lock.namespace)}, ${quoted(lock.name)})`;
  return [
    {what: 'Key', text: key},
    {what: 'Link', text: origin + lockHref(lock)},
    {what: 'Command line', text: `holdfast explain --server ${origin} ${shell(key)}`},
    {what: 'Command line, run under it', text: `holdfast exec --server ${origin} --wait 10m ${shell(key)} -- COMMAND`},
    {what: 'Command line, watch it', text: `holdfast watch --server ${origin} ${shell(key)}`},
    {what: 'curl', text: `curl ${shell(`${origin}/v2/lock?${query}`)}`},
    {
      what: 'Java',
      text: `try (LockClient locks = LockClient.connect(${quoted(origin)});\n        Lease lease = locks.acquire(${java})) {\n    // lease.token() fences what you write\n}`,
    },
  ];
}

/**
 * One word for a shell, whatever is in it.
 * @param {string} text
 */
export function shell(text) {
  return /^[A-Za-z0-9_.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text);
}
