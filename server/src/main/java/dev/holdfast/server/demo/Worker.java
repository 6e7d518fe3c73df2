package dev.holdfast.server.demo;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * One who does one job after the other.
 *
 * @param name for people
 * @param jobs the next job
 * @param pause between two jobs
 */
record Worker(String name, Supplier<Job> jobs, Supplier<Duration> pause) {}
