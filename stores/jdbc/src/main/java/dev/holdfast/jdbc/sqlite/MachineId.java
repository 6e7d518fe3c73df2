package dev.holdfast.jdbc.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names what all processes have in common whose monotonic clocks show the same: on Linux one run of one kernel, in one time
 * namespace. Elsewhere nothing says whether two processes do, and there is no name.
 */
final class MachineId {
    private static final Logger LOG = LoggerFactory.getLogger(MachineId.class);

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path TIME_NAMESPACE = Path.of("/proc/self/ns/time");
    private static final Path UPTIME = Path.of("/proc/uptime");
    /** Two readings one after the other, and the hundredths of a second the second one is told in. */
    private static final double READING_APART = 1.0;

    private MachineId() {}

    static Optional<String> ofThisProcess() {
        if (!Files.isReadable(BOOT) || !Files.isReadable(UPTIME)) {
            return Optional.empty();
        }
        try {
            // The time since the start of the machine, with its sleep; one that is less is not about this kernel.
            double monotonic = System.nanoTime() / 1e9;
            double uptime = Double.parseDouble(Files.readString(UPTIME).split(" ", -1)[0]);
            if (monotonic < 0 || monotonic > uptime + READING_APART) {
                return Optional.empty();
            }
            String namespace = Files.isSymbolicLink(TIME_NAMESPACE)
                    ? Files.readSymbolicLink(TIME_NAMESPACE).toString()
                    : "";
            return Optional.of(Files.readString(BOOT).strip() + namespace.replace(' ', '_'));
        } catch (IOException | NumberFormatException e) {
            LOG.debug("the run of this machine has no name; the wall clock counts", e);
            return Optional.empty();
        }
    }
}
