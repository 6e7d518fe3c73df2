package dev.holdfast.cli.context;

import dev.holdfast.cli.connect.Context;
import dev.holdfast.cli.connect.Contexts;
import java.util.Optional;
import picocli.CommandLine.Parameters;

final class ContextNameArgument {
    @Parameters(index = "0", paramLabel = "CONTEXT", description = "Name of the context.")
    private String name = "";

    String name() {
        return name;
    }

    /** The one of this name, which must be there. */
    Context in(Contexts contexts) {
        return contexts.get(name, Optional.empty());
    }
}
