/**
 * What a developer measures in a checkout. {@link dev.holdfast.bench.DeveloperMain} starts it; nothing depends on it but {@code bench-peers},
 * which compares with other libraries and loads things with what is here. It knows the command line and through it everything; nothing here
 * decides about a lock.
 *
 * <pre>
 *   DeveloperMain
 *     ├─ BenchCommand      one command for each:
 *     │    CoreBench         the engine in memory; HeldLeases: heap and processor time of held ones
 *     │    ServerBench       locks over HTTP; ParkedPolls: many waiting requests; Metrics: what the server says of itself
 *     │    StateBench        loading and listing state
 *     │    GuardBench        decisions, and watching; AnsweringApps: apps to probe, in a process of their own
 *     ├─ SimulateCommand   the simulation of module testkit
 *     └─ soak              looks for what grows
 *
 *   Bench       parts, time and directory of a measurement          Load       callers that do one thing again and again
 *   Report      lines with the goal beside each                      HttpLoad   connections that send HttpScripts
 *                                                                    StateFile  a state of some size, and a plain file
 * </pre>
 */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
