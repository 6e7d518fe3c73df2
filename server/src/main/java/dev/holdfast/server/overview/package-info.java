/**
 * How everything stands, in one answer: {@code GET /v2/overview}. {@code OverviewRoute} asks for three things and puts them together:
 * {@code LockFigures} of the locks in use, {@code RecentActivity} of the last quarter of an hour, and the health of the server. Decides
 * only what is worth showing first.
 */
@NullMarked
package dev.holdfast.server.overview;

import org.jspecify.annotations.NullMarked;
