package dev.holdfast.state.deploy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads what CI systems say about a run in their variables. */
record CiEnvironment(Map<String, String> variables, Path directory) {
    DeployMetadata metadata() {
        Optional<CiSystem> system = CiSystem.of(variables);
        Optional<String> run = system.flatMap(it -> first(it.run()));
        Optional<String> user = system.flatMap(it -> first(it.user()))
                .or(() -> first("USER", "LOGNAME", "USERNAME"))
                .or(() -> Optional.ofNullable(System.getProperty("user.name")));
        long pid = ProcessHandle.current().pid();
        String hostname = hostname();
        String label = system.map(it -> it.label() + run.map(id -> "-run-" + id).orElse(""))
                .orElse(user.map(it -> it + "@").orElse("") + hostname + "-" + pid);
        GitHead git = GitHead.above(directory);
        return new DeployMetadata(
                label,
                user,
                system.map(CiSystem::label),
                run,
                system.flatMap(it -> first(it.url())),
                first("DEPLOYMENT_ID"),
                system.flatMap(it -> first(it.commit()))
                        .or(() -> first("GIT_COMMIT"))
                        .or(git::commit),
                system.flatMap(it -> it.branch(variables))
                        .or(() -> first("GIT_BRANCH"))
                        .or(git::branch),
                hostname,
                pid);
    }

    private Optional<String> first(String... names) {
        return CiSystem.first(variables, String.join("|", names));
    }

    private String hostname() {
        return first("HOSTNAME", "COMPUTERNAME").orElseGet(() -> {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost"; // a machine without a name: the label is all that suffers
            }
        });
    }
}
