package dev.holdfast.state;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads what CI systems say about a run in their variables. */
final class CiEnvironment {
    private final Map<String, String> variables;
    private final Path directory;

    CiEnvironment(Map<String, String> variables, Path directory) {
        this.variables = variables;
        this.directory = directory;
    }

    DeployMetadata metadata() {
        if (first("GITHUB_ACTIONS").isPresent()) {
            return metadata(
                    Optional.of("github-actions"),
                    first("GITHUB_RUN_ID"),
                    first("GITHUB_TRIGGERING_ACTOR", "GITHUB_ACTOR"),
                    first("GITHUB_SHA"),
                    first("GITHUB_HEAD_REF", "GITHUB_REF_NAME"));
        }
        if (first("GITLAB_CI").isPresent()) {
            return metadata(
                    Optional.of("gitlab-ci"),
                    first("CI_PIPELINE_ID", "CI_JOB_ID"),
                    first("GITLAB_USER_EMAIL", "GITLAB_USER_LOGIN"),
                    first("CI_COMMIT_SHA"),
                    first("CI_COMMIT_REF_NAME", "CI_COMMIT_BRANCH"));
        }
        if (first("JENKINS_URL", "JENKINS_HOME").isPresent()) {
            return metadata(
                    Optional.of("jenkins"),
                    first("BUILD_TAG", "BUILD_NUMBER", "BUILD_ID"),
                    first("BUILD_USER_EMAIL", "BUILD_USER_ID", "CHANGE_AUTHOR"),
                    first("GIT_COMMIT"),
                    first("CHANGE_BRANCH", "BRANCH_NAME", "GIT_LOCAL_BRANCH", "GIT_BRANCH")
                            .map(it -> it.startsWith("origin/") ? it.substring("origin/".length()) : it));
        }
        GitHead git = GitHead.above(directory);
        return metadata(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                first("GIT_COMMIT").or(git::commit),
                first("GIT_BRANCH").or(git::branch));
    }

    private DeployMetadata metadata(
            Optional<String> system,
            Optional<String> run,
            Optional<String> starter,
            Optional<String> commit,
            Optional<String> branch) {
        Optional<String> user = starter.or(() -> first("USER", "LOGNAME", "USERNAME"))
                .or(() -> Optional.ofNullable(System.getProperty("user.name")));
        long pid = ProcessHandle.current().pid();
        String hostname = hostname();
        String label = system.map(it -> it + run.map(id -> "-run-" + id).orElse(""))
                .orElse(user.map(it -> it + "@").orElse("") + hostname + "-" + pid);
        return new DeployMetadata(label, user, system, run, first("DEPLOYMENT_ID"), commit, branch, hostname, pid);
    }

    /** The first of these variables that says something; control characters have no place in labels. */
    private Optional<String> first(String... names) {
        for (String name : names) {
            String value = variables
                    .getOrDefault(name, "")
                    .replaceAll("\\p{Cntrl}", "")
                    .strip();
            if (!value.isEmpty()) {
                return Optional.of(value.length() <= 200 ? value : value.substring(0, 200));
            }
        }
        return Optional.empty();
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
