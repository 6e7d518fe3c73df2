package dev.holdfast.cli.help;

import java.util.List;

/** Commands that help shows together, under this title and in this order. */
public record CommandGroup(String title, List<Class<?>> commands) {
    public static CommandGroup of(String title, Class<?>... commands) {
        return new CommandGroup(title, List.of(commands));
    }
}
