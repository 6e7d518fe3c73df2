package dev.holdfast.cli.text;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

public final class LimitOption {
    private static final int MAX = 1_000_000;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "List at most this many (default ${DEFAULT-VALUE}), and say so if there are more.")
    private int limit;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** This many unless another number is given. */
    public LimitOption(int usual) {
        this.limit = usual;
    }

    /** How much to ask for at once: not more than this, nor than is needed to know whether there is more. */
    public int page(int most) {
        if (limit < 1 || limit > MAX) {
            throw new ParameterException(spec.commandLine(), "--limit must be between 1 and " + MAX + ", was " + limit);
        }
        return Math.min(most, limit + 1);
    }

    /** What there is, as far as it is listed, and whether there is more. */
    public record Listing<T>(List<T> items, boolean more) {}

    public <T> Listing<T> of(Stream<T> all) {
        List<T> found = all.limit(limit + 1L).toList();
        return new Listing<>(found.subList(0, Math.min(limit, found.size())), found.size() > limit);
    }
}
