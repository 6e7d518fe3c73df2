package dev.holdfast.cli.help;

import java.util.List;

/**
 * Commands that help shows together.
 *
 * @param title the line above them
 * @param commands their classes, in the order in which they are shown
 */
public record CommandGroup(String title, List<Class<?>> commands) {
    /** With these. */
    public static CommandGroup of(String title, Class<?>... commands) {
        return new CommandGroup(title, List.of(commands));
    }
}
