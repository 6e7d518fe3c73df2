package dev.holdfast.cli.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How fast the time daemon of this machine may run its clock while it corrects it, as far as its configuration tells. A holder leaves
 * half a percent of its lease for clocks that run unequally; chrony may slow one by a twelfth unless told otherwise.
 */
final class ClockRate {
    private static final List<Path> CONFIGURATIONS =
            List.of(Path.of("/etc/chrony/chrony.conf"), Path.of("/etc/chrony.conf"));
    /** What chrony does without the setting, in parts per million. */
    private static final double DEFAULT_RATE = 83_333.333;
    /** Half a percent, in parts per million. */
    private static final double HARMLESS = 5_000;

    private ClockRate() {}

    static void check(Checkup checkup) {
        CONFIGURATIONS.stream().filter(Files::isReadable).findFirst().ifPresent(file -> check(file, checkup));
    }

    static void check(Path file, Checkup checkup) {
        try {
            double rate = rate(Files.readAllLines(file)).orElse(DEFAULT_RATE);
            checkup.judge(
                    rate <= HARMLESS,
                    String.format(Locale.ROOT, "chrony may correct this machine's clock by up to %.1f %%", rate / 1e4),
                    ", and a holder here leaves 0.5 % of its lease for that. Put 'maxslewrate 1000' into " + file
                            + " (GUARANTEES.md, limit f)");
        } catch (IOException e) {
            checkup.warn("whether the clock may be corrected too fast is not known: " + file + " cannot be read ("
                    + e.getMessage() + ")");
        }
    }

    /** The last setting counts. */
    private static Optional<Double> rate(List<String> lines) {
        return lines.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length == 2
                        && words[0].equalsIgnoreCase("maxslewrate")
                        && words[1].matches("\\d+(\\.\\d+)?"))
                .map(words -> Double.valueOf(words[1]))
                .reduce((first, last) -> last);
    }
}
