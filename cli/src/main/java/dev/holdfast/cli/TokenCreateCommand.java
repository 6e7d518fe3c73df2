package dev.holdfast.cli;

import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.NewToken;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast token create}: a fresh token, told once. */
@Command(
        name = "create",
        description = {
            "Makes an API token: prints it on standard output, once, and on standard error the entry for auth.tokens",
            "in holdfast.yaml, which has only its hash. Nothing is stored: add the entry and restart the server.",
            "Example: TOKEN=$$(holdfast token create --id ci --role deploy=read,lock)"
        },
        mixinStandardHelpOptions = true)
final class TokenCreateCommand implements Callable<Integer> {
    @Option(
            names = "--id",
            required = true,
            paramLabel = "ID",
            description = "Whose it is: owner of locks, and in the audit log.")
    private String id = "";

    @Option(
            names = "--role",
            paramLabel = "NAMESPACE=ROLE[,ROLE]",
            description = {
                "What it may do in a namespace, or in all with '*': read, lock, state, guard, admin.",
                "Can be repeated. Without it: '*=read,lock'."
            })
    private List<String> grants = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        try {
            NewToken token = NewToken.create(id, roles());
            // The entry first: who reads both on a screen has the token last, where it is copied from.
            err.print(token.yaml());
            err.flush();
            out.println(token.secret());
            out.flush();
            return ExitCodes.OK;
        } catch (ConfigProblems e) {
            err.println(e.getMessage());
            return ExitCodes.USAGE;
        }
    }

    private Map<String, Set<String>> roles() {
        Map<String, Set<String>> roles = new LinkedHashMap<>();
        for (String grant : grants.isEmpty() ? List.of("*=read,lock") : grants) {
            int equals = grant.indexOf('=');
            if (equals < 1) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--role must be NAMESPACE=ROLE[,ROLE], such as '*=read,lock', was '" + grant + "'");
            }
            roles.computeIfAbsent(grant.substring(0, equals), namespace -> new LinkedHashSet<>())
                    .addAll(List.of(grant.substring(equals + 1).split(",", -1)));
        }
        return roles;
    }
}
