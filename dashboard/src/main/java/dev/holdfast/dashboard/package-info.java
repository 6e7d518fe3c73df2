/**
 * The dashboard: a page that shows locks, and what a server needs to serve it. The page itself is in the resources beside this
 * package, as people wrote it: ES modules without a build step, one style sheet, and Lit from its own jars. {@link
 * dev.holdfast.dashboard.DashboardFiles} is the door. This module knows neither HTTP nor locks; the page knows only the public API.
 *
 * <pre>
 *   app.js, router.js, dialogs.js         the frame: menu, search, live mark, keys, signing in
 *   page-*.js, force.js                   one file for each page, and what it can do
 *   session.js, api.js, access.js         one reader with one server: calls, who it is and what that one may do
 *   stream.js                             events, as they happen
 *   locks.js, activity.js                 what is known about locks, and what happened lately
 *   time.js, keys.js, explain.js          how things are said
 *   parts.js, lock-parts.js               what several pages show
 * </pre>
 */
@NullMarked
package dev.holdfast.dashboard;

import org.jspecify.annotations.NullMarked;
