package dev.holdfast.examples;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.util.Map;

/** An example as a process of its own, on a host of its own name. */
final class Pod {
    private Pod() {}

    /** Starts {@code main} on a pod of this name. */
    static JavaProcess start(Class<?> main, String name, Map<String, String> environment, String... args) {
        return JavaProgram.of(main)
                .heap("64m")
                .with(environment)
                .with(Map.of("HOSTNAME", name))
                .merged()
                .start(args);
    }
}
