package dev.holdfast.state.deploy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who deploys, from where and what: shown beside the lock while it is held.
 *
 * @param lockedBy the label of the holder, such as {@code github-actions-run-12345}
 * @param user who started it
 * @param ciSystem such as {@code github-actions}, {@code gitlab-ci}, {@code circleci}, {@code buildkite}, {@code azure-pipelines}
 * @param ciRunId of that system
 * @param ciUrl where people look at that run
 * @param deploymentId of the deployment
 * @param gitCommit what is deployed
 * @param gitBranch from which branch
 * @param hostname where it runs
 * @param pid as which process
 */
public record DeployMetadata(
        String lockedBy,
        Optional<String> user,
        Optional<String> ciSystem,
        Optional<String> ciRunId,
        Optional<String> ciUrl,
        Optional<String> deploymentId,
        Optional<String> gitCommit,
        Optional<String> gitBranch,
        String hostname,
        long pid) {
    /** Longest value kept: what others see beside a lock is small. */
    private static final int MAX_VALUE = 200;

    /** What this process can find out: the variables of the CI system, else the user and the working copy of git. */
    public static DeployMetadata fromEnvironment() {
        return fromEnvironment(System.getenv(), Path.of("").toAbsolutePath());
    }

    /** The same from these variables, and the working copy that holds this directory. */
    public static DeployMetadata fromEnvironment(Map<String, String> variables, Path directory) {
        return new CiEnvironment(variables, directory).metadata();
    }

    public DeployMetadata withDeploymentId(String id) {
        return new DeployMetadata(
                lockedBy, user, ciSystem, ciRunId, ciUrl, Optional.of(id), gitCommit, gitBranch, hostname, pid);
    }

    public DeployMetadata withLockedBy(String label) {
        return new DeployMetadata(
                label, user, ciSystem, ciRunId, ciUrl, deploymentId, gitCommit, gitBranch, hostname, pid);
    }

    /** As it stands beside the lock; what is not known is left out. */
    public Map<String, String> asMap() {
        Map<String, String> map = new TreeMap<>();
        user.ifPresent(it -> map.put("user", it));
        ciSystem.ifPresent(it -> map.put("ci_system", it));
        ciRunId.ifPresent(it -> map.put("ci_run_id", it));
        ciUrl.ifPresent(it -> map.put("ci_url", it));
        deploymentId.ifPresent(it -> map.put("deployment_id", it));
        gitCommit.ifPresent(it -> map.put("git_commit", it));
        gitBranch.ifPresent(it -> map.put("git_branch", it));
        map.put("hostname", hostname);
        map.put("pid", Long.toString(pid));
        map.replaceAll((name, value) -> value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE));
        return map;
    }
}
