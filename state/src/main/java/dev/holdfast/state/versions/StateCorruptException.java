package dev.holdfast.state.versions;

import java.util.Optional;

/** Stored bytes are not what was saved. Says which, and the command that heals; never the bytes. */
public final class StateCorruptException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Stack stack;
    private final String version;
    private final transient Optional<String> lastGood;

    public StateCorruptException(Stack stack, String version, String what, Optional<String> lastGood) {
        super("State of stack '" + stack.name() + "' in '" + stack.environment() + "', version " + version
                + ", is damaged: " + what + ". "
                + lastGood.map(good -> "Repair it with: holdfast state restore " + stack.name() + " "
                                + stack.environment() + " --version " + good)
                        .orElse("No good version was found in its history; look for a backup of the document store"));
        this.stack = stack;
        this.version = version;
        this.lastGood = lastGood;
    }

    /** As a server tells it. */
    public StateCorruptException(Stack stack, String version, Optional<String> lastGood, String message) {
        super(message);
        this.stack = stack;
        this.version = version;
        this.lastGood = lastGood;
    }

    public Stack stack() {
        return stack;
    }

    public String version() {
        return version;
    }

    /** The newest version that is good, to be restored. */
    public Optional<String> lastGood() {
        return lastGood;
    }
}
