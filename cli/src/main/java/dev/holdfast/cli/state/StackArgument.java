package dev.holdfast.cli.state;

import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.state.versions.Stack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The stack a command is about: two words, two options, or what the {@code state run} around it says. */
final class StackArgument {
    static final String STACK = "HOLDFAST_STACK";
    static final String ENVIRONMENT = "HOLDFAST_ENVIRONMENT";

    private static final String EXAMPLE = "user-platform production";

    @Parameters(
            arity = "0..*",
            paramLabel = "STACK ENVIRONMENT",
            hideParamSyntax = true,
            description = "Name of the stack, and of its environment.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--stack", paramLabel = "STACK", description = "Name of the stack, instead of the first word.")
    private Optional<String> stack = Optional.empty();

    @Option(
            names = {"--environment", "--env"},
            paramLabel = "ENVIRONMENT",
            description = "Name of the environment, instead of the second word.")
    private Optional<String> environment = Optional.empty();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** The stack; nothing else may be named. */
    Stack stack() {
        return stack(0);
    }

    Stack stack(int others) {
        int names = words.size() - others;
        if (names < 0) {
            throw wrong("Something is missing");
        }
        if (stack.isPresent() || environment.isPresent()) {
            if (names != 0 || stack.isEmpty() || environment.isEmpty()) {
                throw wrong("Name the stack and its environment once, with --stack and --environment or as two words");
            }
            return checked(stack.get(), environment.get());
        }
        if (names == 2) {
            return checked(words.get(0), words.get(1));
        }
        return Target.set(STACK)
                .filter(name -> names == 0)
                .flatMap(name -> Target.set(ENVIRONMENT).map(env -> checked(name, env)))
                .orElseThrow(() -> wrong("Name a stack and its environment"));
    }

    /** Of several stacks: those of this name, in this environment, as far as they are named. */
    Filter filter() {
        if (words.size() > 2 || (!words.isEmpty() && (stack.isPresent() || environment.isPresent()))) {
            throw wrong("Name at most a stack and its environment, once");
        }
        Optional<String> first = stack.or(() -> words.stream().findFirst());
        Optional<String> second = environment.or(() -> words.stream().skip(1).findFirst());
        checked(first.orElse("any"), second.orElse("any"));
        return new Filter(first, second);
    }

    /** Which stacks are meant, as far as they are named. */
    record Filter(Optional<String> stack, Optional<String> environment) {
        boolean matches(Stack other) {
            return stack.map(other.name()::equals).orElse(true)
                    && environment.map(other.environment()::equals).orElse(true);
        }

        boolean isNarrow() {
            return stack.isPresent() || environment.isPresent();
        }
    }

    /** The last words, that name no stack. */
    List<String> others(int count) {
        return words.subList(words.size() - Math.min(count, words.size()), words.size());
    }

    private Stack checked(String name, String env) {
        try {
            return new Stack(name, env);
        } catch (IllegalArgumentException e) {
            throw wrong(Screen.clean(String.valueOf(e.getMessage())));
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what + ". Example: " + spec.qualifiedName() + " " + EXAMPLE);
    }
}
