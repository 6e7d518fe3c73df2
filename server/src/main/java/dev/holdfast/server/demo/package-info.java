/**
 * Made-up data for whoever tries the server: {@code holdfast serve --demo}. {@code DemoPast} is the store it starts with: an hour of
 * {@code DemoHistory}, and what somebody forgot to release. {@code DemoTraffic} goes on from there, on the parts of a running server:
 * {@code Teams} make jobs and {@code DemoWork} does them under locks, {@code DemoStates} deploys, {@code DemoApps} are watched by the
 * guard. Everything is in memory; nothing here knows any other store.
 */
@NullMarked
package dev.holdfast.server.demo;

import org.jspecify.annotations.NullMarked;
