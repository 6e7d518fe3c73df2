/**
 * Measures the engine, the stores, the server and the guard. {@code DeveloperMain} starts it; each measurement is a {@code Bench}, and
 * {@code Load} and {@code HttpLoad} are what they load things with. {@code SimulateCommand} runs the simulation of module testkit. Package {@code soak} looks for what
 * grows.
 */
@NullMarked
package dev.holdfast.bench;

import org.jspecify.annotations.NullMarked;
