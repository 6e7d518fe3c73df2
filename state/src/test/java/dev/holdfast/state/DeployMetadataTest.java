package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("what is said about a deployment")
final class DeployMetadataTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("comes from GitHub Actions")
    void github() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of(
                        "GITHUB_ACTIONS", "true",
                        "GITHUB_RUN_ID", "12345",
                        "GITHUB_ACTOR", "alice",
                        "GITHUB_SHA", "a1b2c3",
                        "GITHUB_REF_NAME", "main",
                        "HOSTNAME", "runner-1"),
                directory);
        assertThat(found.lockedBy()).isEqualTo("github-actions-run-12345");
        assertThat(found.asMap())
                .containsEntry("user", "alice")
                .containsEntry("ci_system", "github-actions")
                .containsEntry("ci_run_id", "12345")
                .containsEntry("git_commit", "a1b2c3")
                .containsEntry("git_branch", "main")
                .containsEntry("hostname", "runner-1")
                .containsEntry("pid", Long.toString(ProcessHandle.current().pid()));
        assertThat(found.withDeploymentId("dep-1").asMap()).containsEntry("deployment_id", "dep-1");
    }

    @Test
    @DisplayName("comes from GitLab CI")
    void gitlab() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of(
                        "GITLAB_CI", "true",
                        "CI_PIPELINE_ID", "77",
                        "GITLAB_USER_LOGIN", "bob",
                        "CI_COMMIT_SHA", "abc",
                        "CI_COMMIT_REF_NAME", "release"),
                directory);
        assertThat(found.lockedBy()).isEqualTo("gitlab-ci-run-77");
        assertThat(found.asMap())
                .containsEntry("user", "bob")
                .containsEntry("git_commit", "abc")
                .containsEntry("git_branch", "release");
    }

    @Test
    @DisplayName("comes from Jenkins")
    void jenkins() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of(
                        "JENKINS_URL", "http://ci/",
                        "BUILD_NUMBER", "9",
                        "BUILD_USER_ID", "carol",
                        "GIT_COMMIT", "def",
                        "GIT_BRANCH", "origin/main"),
                directory);
        assertThat(found.lockedBy()).isEqualTo("jenkins-run-9");
        assertThat(found.asMap())
                .containsEntry("ci_system", "jenkins")
                .containsEntry("user", "carol")
                .containsEntry("git_branch", "main");
    }

    @Test
    @DisplayName("comes from the user and the working copy where there is no CI system")
    void local() throws IOException {
        String commit = "0123456789abcdef0123456789abcdef01234567";
        Path git = Files.createDirectories(directory.resolve(".git/refs/heads/feature"));
        Files.writeString(directory.resolve(".git/HEAD"), "ref: refs/heads/feature/x\n");
        Files.writeString(git.resolve("x"), commit + "\n");
        Path below = Files.createDirectories(directory.resolve("a/b"));
        DeployMetadata found = DeployMetadata.fromEnvironment(Map.of("USER", "dave", "HOSTNAME", "pc"), below);
        assertThat(found.lockedBy()).startsWith("dave@pc-");
        assertThat(found.asMap())
                .containsEntry("git_commit", commit)
                .containsEntry("git_branch", "feature/x")
                .doesNotContainKey("ci_system");
        Files.delete(git.resolve("x"));
        Files.writeString(directory.resolve(".git/packed-refs"), "# pack\n" + commit + " refs/heads/feature/x\n");
        assertThat(DeployMetadata.fromEnvironment(Map.of(), below).gitCommit()).contains(commit);
        Files.writeString(directory.resolve(".git/HEAD"), commit);
        assertThat(DeployMetadata.fromEnvironment(Map.of(), below).gitBranch()).isEmpty();
        Files.writeString(directory.resolve(".git/HEAD"), "ref: refs/../../etc/passwd");
        assertThat(DeployMetadata.fromEnvironment(Map.of(), below).gitCommit()).isEmpty();
    }

    @Test
    @DisplayName("is cut where it is too long, and holds no control characters")
    void bounds() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "1\n2", "GITHUB_REF_NAME", "x".repeat(1_000)),
                directory);
        assertThat(found.lockedBy()).isEqualTo("github-actions-run-12");
        assertThat(found.asMap().get("git_branch")).hasSize(200);
    }
}
