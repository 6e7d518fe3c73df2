/**
 * A web service of Spring Boot that runs as several pods, of which one synchronises at a time. {@code SyncController} starts the work,
 * {@code Synchronisation} does it under locks, {@code SyncSchedule} starts it by the clock, {@code LocksController} shows who works.
 */
@NullMarked
package dev.holdfast.examples.spring;

import org.jspecify.annotations.NullMarked;
