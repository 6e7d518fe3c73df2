package dev.holdfast.cli.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What only the system knows of a process: on Linux from {@code /proc}, elsewhere from {@code ps} where it can tell. */
public final class ProcFiles {
    private static final Path PROC = Path.of("/proc");

    private ProcFiles() {}

    /** Whether it has ended, and only waits for its parent to notice. No signal reaches it, and it does nothing more. */
    public static boolean isZombie(long pid) {
        return stat(pid)
                .map(fields -> fields[0].equals("Z") || fields[0].equals("X"))
                .orElse(false);
    }

    /** Whether it is in the foreground of a terminal, which then sends it a Ctrl-C by itself. */
    public static boolean isInForeground(long pid) {
        Optional<String[]> fields = stat(pid);
        if (fields.isPresent()) {
            String group = fields.get()[2];
            String foreground = fields.get()[5];
            return group.equals(foreground);
        }
        return foregroundByPs(pid);
    }

    /** Whether it was started with this variable in its environment; unknown counts as no. */
    public static boolean hasVariable(long pid, String name, String value) {
        try {
            byte[] all = Files.readAllBytes(PROC.resolve(pid + "/environ"));
            String text = '\0' + new String(all, StandardCharsets.ISO_8859_1) + '\0';
            return text.contains('\0' + name + '=' + value + '\0');
        } catch (IOException e) {
            return false; // it is gone, is another user's, or there is no /proc
        }
    }

    /** State, parent, group, session, terminal and the terminal's foreground group. */
    private static Optional<String[]> stat(long pid) {
        try {
            String line = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            String[] fields =
                    line.substring(line.lastIndexOf(')') + 1).trim().split(" ", 7); // the name may hold blanks
            return fields.length == 7 ? Optional.of(fields) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean foregroundByPs(long pid) {
        try {
            Process ps = new ProcessBuilder("ps", "-o", "pgid=", "-o", "tpgid=", "-p", Long.toString(pid)).start();
            String[] groups = new String(ps.getInputStream().readNBytes(200), StandardCharsets.UTF_8)
                    .trim()
                    .split("\\s+", 3);
            ps.waitFor(1, TimeUnit.SECONDS);
            return groups.length == 2 && groups[0].equals(groups[1]);
        } catch (IOException e) {
            return false; // without ps a signal may be sent twice; better than never
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
