package dev.holdfast.jdbc.sqlite;

import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;

/**
 * How to open a file.
 *
 * @param exclusive only this process; otherwise any number of processes share it
 * @param label who opens it exclusively, for the message others get
 * @param busyTimeout how long to wait for another process that writes, or is about to close
 * @param time the machine's clocks
 */
public record SqliteSettings(boolean exclusive, String label, Duration busyTimeout, LocalTime time) {}
