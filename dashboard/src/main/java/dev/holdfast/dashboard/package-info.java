/**
 * The dashboard: a page that shows locks, and what a server needs to serve it. The page itself is in the resources beside this
 * package, as people wrote it: ES modules without a build step, one style sheet, and Lit from its own jars. {@link
 * dev.holdfast.dashboard.DashboardFiles} is the door. This module knows neither HTTP nor locks; the page knows only the public API.
 *
 * <pre>
 *   app.js, router.js, pages.js, theme.js, search.js, dialogs.js    the frame: menu, addresses, light or dark, search, keys, signing in
 *   page-*.js, force.js                      one file for each page; ending a hold by force, from several of them
 *   session.js, api.js, access.js            one reader with one server: calls, who it is and what that one may do
 *   stream.js, regular.js                    events, as they happen; what is read now and then
 *   locks.js, lock-list.js, overview.js      what is known about locks, a list of them, and how everything stands
 *   guard-*.js, state-*.js, history-*.js, timeline-*.js, waits-*.js, settings-*.js    what belongs to one page
 *   time.js, keys.js, explain.js             how things are said
 *   parts.js, lock-parts.js                  what several pages show
 * </pre>
 */
@NullMarked
package dev.holdfast.dashboard;

import org.jspecify.annotations.NullMarked;
