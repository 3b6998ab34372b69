"""Search by many machines: the schemes of the parallelization papers, on MPI or simulated in one process."""

from tesuji.cluster.cluster import Cluster
from tesuji.cluster.result import ClusterResult
from tesuji.cluster.schemes import SCHEMES

__all__ = ["SCHEMES", "Cluster", "ClusterResult"]
