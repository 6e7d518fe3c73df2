// Roles and places in words, as the settings show them.

/** What each role allows; completes "may …". @type {Record<string, string>} */
export const ROLE_WORDS = {
  read: 'look at locks, queues, history and events',
  'state-read': 'read the contents of deployment state, including secrets',
  lock: 'take, renew and give back locks',
  state: 'read, write and lock deployment state',
  guard: 'register apps, and stop and start what they use',
  admin: 'do everything, including ending holds by force and clean-up',
};

/** From most to least. */
export const ROLES = ['admin', 'state', 'guard', 'lock', 'state-read', 'read'];

/**
 * A place as grants spell it: everywhere, a namespace, or names in it.
 * @param {string} place
 */
export function placeWords(place) {
  if (place === '*') {
    return 'in all namespaces';
  }
  const slash = place.indexOf('/');
  if (slash < 0) {
    return `in namespace ${place}`;
  }
  const [namespace, rest] = [place.slice(0, slash), place.slice(slash + 1)];
  const begins = rest.endsWith('*');
  const name = begins ? rest.slice(0, -1) : rest;
  const what = /** @type {Record<string, string>} */ ({deploy: 'stack', guard: 'app'})[namespace] ?? 'lock';
  if (name === '') {
    return `in namespace ${namespace}`;
  }
  const [stack, environment] = namespace === 'deploy' ? name.split('/') : [];
  if (environment !== undefined && !(begins && environment)) {
    return `for stack ${stack} in ${environment || 'all environments'}`;
  }
  return begins ? `for each ${what} of ${namespace} whose name begins with ${name}` : `for the ${what} ${name} of ${namespace}`;
}

/** What several roles allow together: an admin's other roles add nothing. @param {string[]} roles */
export function mayWords(roles) {
  if (roles.includes('admin')) {
    return ROLE_WORDS.admin;
  }
  const told = ROLES.filter((role) => roles.includes(role) && !(role === 'read' && roles.length > 1) && !(role === 'state-read' && roles.includes('state')));
  return told.map((role) => ROLE_WORDS[role] ?? role).join('; ') || 'do nothing';
}

/** By what somebody showed who they are. @type {Record<string, string>} */
export const SHOWN_BY = {'api-token': 'an API token', jwt: 'a JWT', certificate: 'a certificate'};
